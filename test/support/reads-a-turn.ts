import { setImmediate as turn } from 'node:timers/promises'
import type { MetadataStore } from '../../src/platform/metadata/metadata-store.ts'

/** Counts the records of a store that are read in one turn of the event loop, its transactions included. */
export class ReadsATurn {
  /** In a turn, since the last `reset`. */
  most = 0
  transactions = 0
  #now = 0
  #isWatched = true

  /** Tables that are asked for from now on are watched, until `end`. */
  constructor (store: MetadataStore) {
    const { table, transact } = store
    store.table = <T>(name: string) => {
      const found = table.call(store, name) as ReturnType<typeof store.table<T>>
      const range = found.range.bind(found)
      const get = found.get.bind(found)
      found.range = (options) => this.#counted(range(options))
      found.get = (key) => {
        this.#count()
        return get(key)
      }
      return found
    }
    store.transact = async (work) => {
      this.transactions++
      return await transact.call(store, work) as ReturnType<typeof work>
    }
    void this.#watch()
  }

  /** In a turn of its own: what was read in this one does not count. */
  async reset (): Promise<void> {
    await turn()
    this.most = 0
    this.transactions = 0
    this.#now = 0
  }

  end (): void {
    this.#isWatched = false
  }

  async #watch (): Promise<void> {
    while (this.#isWatched) {
      await turn()
      this.#now = 0
    }
  }

  *#counted<E> (entries: Iterable<E>): Iterable<E> {
    for (const entry of entries) {
      this.#count()
      yield entry
    }
  }

  #count (): void {
    this.most = Math.max(this.most, ++this.#now)
  }
}
