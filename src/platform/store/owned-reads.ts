import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStore } from './object-store.ts'

/**
 * Reads that end with what they belong to. An open file stays on disk and goes on giving its bytes after it was
 * deleted, for as long as its reader likes; so whoever deletes an owner cuts the reads that are under way.
 */
export class OwnedReads {
  readonly #store: ObjectStore
  readonly #open = new Map<string, Set<Readable>>()

  constructor (store: ObjectStore) {
    this.#store = store
  }

  /** `isKept` says whether the owner is there; undefined when it is not, or not any more. Rejects with a StoreError. */
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
    // Deleted while the file was being opened.
    stream.destroy()
    return undefined
  }

  /** The answers that these reads feed break off, so that no client takes them for whole. */
  cut (owner: string): void {
    for (const stream of this.#open.get(owner) ?? []) {
      stream.destroy(new Error('what this file belongs to was deleted while it was read'))
    }
  }
}
