import type { Key, MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'

/** Tasks of one lane wait for each other, and for no other lane. The tenant's name comes first. */
export type Lane = readonly [tenant: string, ...names: string[]]

/** `id` is unique among the tasks of a lane that are due at the same time. */
export interface DueTask<Value> {
  lane: Lane
  id: string
  value: Value
}

/** A lane, and the time at which its first task is due. */
export interface ExpectedLane {
  lane: Lane
  dueMs: number
}

/** Tasks by the time at which they are due, in a table with the key [...lane, time, id]. */
export class DueTable<Value> {
  readonly #table: Table<Value>
  #announce: (lane: Lane, dueMs: number) => void = () => undefined

  constructor (metadata: MetadataStore, name: string) {
    this.#table = metadata.table(name)
  }

  /** The listener is told of a task while the task is being written. */
  onDue (announce: (lane: Lane, dueMs: number) => void): void {
    this.#announce = announce
  }

  put (tx: Transaction, lane: Lane, dueMs: number, id: string, value: Value): void {
    tx.put(this.#table, [...lane, dueMs, id], value)
    this.#announce(lane, dueMs)
  }

  delete (tx: Transaction, lane: Lane, dueMs: number, id: string): void {
    tx.delete(this.#table, [...lane, dueMs, id])
  }

  /** The number of tasks in all lanes that begin like this; LMDB walks their keys. */
  count (lane: Lane): number {
    return this.#table.count({ prefix: lane })
  }

  /** Lanes with tasks, due now or later, beginning after `after`. */
  *lanes (after?: Lane): Iterable<ExpectedLane> {
    for (let start = after === undefined ? undefined : behind(after);;) {
      const [first] = this.#table.range(start === undefined ? { limit: 1 } : { start, limit: 1 })
      if (first === undefined) return
      const lane = first.key.slice(0, -2).map(String) as unknown as Lane
      yield { lane, dueMs: Number(first.key.at(-2)) }
      start = behind(lane)
    }
  }

  /** The due tasks of a lane, the longest waiting first. */
  due (lane: Lane, nowMs: number, limit: number): Array<DueTask<Value>> {
    return [...this.#table.range({ start: lane, end: [...lane, nowMs + 1], limit })].map(({ key, value }) => ({
      lane,
      id: String(key.at(-1)),
      value
    }))
  }

  /** When the lane's first task falls due that is not due yet; undefined if there is none. */
  nextDueMs (lane: Lane, nowMs: number): number | undefined {
    const [next] = this.#table.range({ start: [...lane, nowMs + 1], end: behind(lane), limit: 1 })
    return next === undefined ? undefined : Number(next.key.at(-2))
  }
}

/** Texts sort after numbers, so this key comes after every time of the lane. */
function behind (lane: Lane): Key {
  return [...lane, '']
}
