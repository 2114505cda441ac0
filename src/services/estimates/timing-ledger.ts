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

/**
 * The times of finished jobs. A sample is written in the transaction that ends its job. They are kept in memory too,
 * because each estimate goes through hundreds of them on the thread that all tenants share.
 */
export class TimingLedger {
  readonly #timings: Table<Numbered>
  /** Newest first. */
  readonly #samples = new Map<Kind, Numbered[]>()

  constructor (metadata: MetadataStore) {
    this.#timings = metadata.table('timings')
    for (const { value } of this.#timings.range()) this.#of(value.kind).push(value)
    for (const samples of this.#samples.values()) samples.sort((one, other) => other.number - one.number)
  }

  readonly follower: JobFollower = {
    ended: (tx, record) => {
      const sample = sampleOf(record)
      if (sample !== undefined) this.#put(tx, sample)
      return record
    }
  }

  /** Newest first. */
  samples (kind: Kind): readonly TimingSample[] {
    return this.#of(kind)
  }

  /** Mean over the newest jobs of all kinds; undefined when none has ended here. */
  meanSeconds (): number | undefined {
    const recent = [...this.#samples.values()].flat()
    return recent.length === 0 ? undefined : recent.reduce((sum, { seconds }) => sum + seconds, 0) / recent.length
  }

  /**
   * An undone transaction skips a number, and its position in the ring stays as it was until the next round. In memory
   * its sample counts all the same.
   */
  #put (tx: Transaction, sample: TimingSample): void {
    const { kind } = sample
    const samples = this.#of(kind)
    const number = (samples[0]?.number ?? 0) + 1
    samples.unshift({ ...sample, number })
    if (samples.length > kept) samples.pop()
    tx.put(this.#timings, [kind, number % kept], { ...sample, number })
  }

  #of (kind: Kind): Numbered[] {
    const known = this.#samples.get(kind)
    if (known !== undefined) return known
    const none: Numbered[] = []
    this.#samples.set(kind, none)
    return none
  }
}
