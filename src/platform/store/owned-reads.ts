import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStore } from './object-store.ts'

/**
 * Reads that end with the owner of the object. A deleted file that is open stays on disk and gives its bytes for as
 * long as its reader likes. So whoever deletes an owner cuts the reads in progress.
 */
export class OwnedReads {
  readonly #store: ObjectStore
  readonly #open = new Map<string, Set<Readable>>()

  constructor (store: ObjectStore) {
    this.#store = store
  }

  /** `isKept`: whether the owner still exists; undefined if it does not. Rejects with a StoreError. */
  async open (owner: string, isKept: () => boolean, key: string, range?: ByteRange): Promise<Readable | undefined> {
    if (!isKept()) return undefined
    const { stream } = await this.#store.openRead(key, range)
    const streams = this.#open.get(owner) ?? new Set()
    this.#open.set(owner, streams.add(stream))
    stream.once('close', () => {
      streams.delete(stream)
      if (streams.size === 0 && this.#open.get(owner) === streams) this.#open.delete(owner)
    })
    if (isKept()) return stream
    // The owner was deleted while the file was being opened.
    stream.destroy()
    return undefined
  }

  /** Breaks off the responses that these reads feed, so that no client takes them for complete. */
  cut (owner: string): void {
    for (const stream of this.#open.get(owner) ?? []) {
      stream.destroy(new Error('what this file belongs to was deleted while it was read'))
    }
  }
}
