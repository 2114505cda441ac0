import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStore } from '../store/object-store.ts'
import { ownerOf } from '../store/keys.ts'
import type { JobLedger } from './job-ledger.ts'

/**
 * Reads of result files. An open file stays on disk and goes on giving its bytes after it was deleted, for as long as its
 * reader likes; so the reads that are under way end with their job.
 */
export class ResultReads {
  readonly #store: ObjectStore
  readonly #ledger: JobLedger
  readonly #open = new Map<string, Set<Readable>>()

  constructor (deps: { store: ObjectStore, ledger: JobLedger }) {
    this.#store = deps.store
    this.#ledger = deps.ledger
  }

  /** Undefined: there is no such job, or not any more. Rejects with a StoreError. */
  async open (key: string, range?: ByteRange): Promise<Readable | undefined> {
    if (!this.#isKept(key)) return undefined
    const { stream } = await this.#store.openRead(key, range)
    const { jobId } = ownerOf(key)
    const streams = this.#open.get(jobId) ?? new Set()
    this.#open.set(jobId, streams.add(stream))
    stream.once('close', () => {
      streams.delete(stream)
      if (streams.size === 0 && this.#open.get(jobId) === streams) this.#open.delete(jobId)
    })
    if (this.#isKept(key)) return stream
    // Deleted while the file was being opened.
    stream.destroy()
    return undefined
  }

  /** Call it when the job is deleted. The answers that these reads feed break off, so that no client takes them for whole. */
  cut (jobId: string): void {
    for (const stream of this.#open.get(jobId) ?? []) stream.destroy(new Error('the job was deleted while its file was read'))
  }

  #isKept (key: string): boolean {
    const { tenant, jobId } = ownerOf(key)
    return this.#ledger.get(tenant, jobId) !== undefined
  }
}
