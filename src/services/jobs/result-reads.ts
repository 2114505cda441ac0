import type { Readable } from 'node:stream'
import { ownerOf } from '../../platform/store/keys.ts'
import type { ByteRange, ObjectStore } from '../../platform/store/object-store.ts'
import { OwnedReads } from '../../platform/store/owned-reads.ts'
import type { JobLedger } from './job-ledger.ts'

/** Reads of result files. They break off when their job is deleted. */
export class ResultReads {
  readonly #reads: OwnedReads
  readonly #ledger: JobLedger

  constructor (deps: { store: ObjectStore, ledger: JobLedger }) {
    this.#reads = new OwnedReads(deps.store)
    this.#ledger = deps.ledger
  }

  isReadable (key: string): boolean {
    const { tenant, jobId } = ownerOf(key)
    return this.#ledger.get(tenant, jobId) !== undefined
  }

  /** undefined when the job does not exist. Rejects with a StoreError. */
  async open (key: string, range?: ByteRange): Promise<Readable | undefined> {
    return await this.#reads.open(ownerOf(key).jobId, () => this.isReadable(key), key, range)
  }

  /** Call it when the job is deleted. */
  cut (jobId: string): void {
    this.#reads.cut(jobId)
  }
}
