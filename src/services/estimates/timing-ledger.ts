import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import { sampleOf, type TimingSample } from './timing-sample.ts'
import type { Kind } from './workload.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | timings | kind, position | TimingSample: a ring of the newest jobs of a kind |
 */
export const estimateTables = ['timings'] as const

/** Samples kept of each kind. */
const kept = 500

interface Numbered extends TimingSample {
  number: number
}

/** The times of finished jobs. A sample is written in the transaction that ends its job. */
export class TimingLedger {
  readonly #timings: Table<Numbered>
  readonly #next = new Map<Kind, number>()

  constructor (metadata: MetadataStore) {
    this.#timings = metadata.table('timings')
  }

  readonly follower: JobFollower = {
    ended: (tx, record) => {
      const sample = sampleOf(record)
      if (sample !== undefined) this.#put(tx, sample)
      return record
    }
  }

  /** Newest first. */
  samples (kind: Kind): TimingSample[] {
    return this.#numbered(kind).sort((one, other) => other.number - one.number)
  }

  /** Mean over the newest jobs of all kinds; undefined when none has ended here. */
  meanSeconds (): number | undefined {
    const recent = [...this.#timings.range()].map(({ value }) => value.seconds)
    return recent.length === 0 ? undefined : recent.reduce((sum, seconds) => sum + seconds, 0) / recent.length
  }

  /** An undone transaction skips a number, and its position in the ring stays as it was until the next round. */
  #put (tx: Transaction, sample: TimingSample): void {
    const { kind } = sample
    const number = this.#next.get(kind) ??
      this.#numbered(kind).reduce((most, { number }) => Math.max(most, number), 0) + 1
    this.#next.set(kind, number + 1)
    tx.put(this.#timings, [kind, number % kept], { ...sample, number })
  }

  #numbered (kind: Kind): Numbered[] {
    return [...this.#timings.range({ prefix: [kind] })].map(({ value }) => value)
  }
}
