import type { Key, MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'

/** What waits for each other only; the tenant's name comes first. */
export type Lane = readonly [tenant: string, ...names: string[]]

/** `id`: no other one of its lane that is due at that time has it. */
export interface DueTask<Value> {
  lane: Lane
  id: string
  value: Value
}

/** A lane, and when the first of its tasks is due. */
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

  /** Who works it off is told of what will be due, while it is being written. */
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

  /** Of all lanes that begin so; LMDB walks their keys. */
  count (lane: Lane): number {
    return this.#table.count({ prefix: lane })
  }

  /** Lanes in which something waits or will be due, from behind `after` on. */
  *lanes (after?: Lane): Iterable<ExpectedLane> {
    for (let start = after === undefined ? undefined : behind(after);;) {
      const [first] = this.#table.range(start === undefined ? { limit: 1 } : { start, limit: 1 })
      if (first === undefined) return
      const lane = first.key.slice(0, -2).map(String) as unknown as Lane
      yield { lane, dueMs: Number(first.key.at(-2)) }
      start = behind(lane)
    }
  }

  /** What is due in a lane, the longest waiting first. */
  due (lane: Lane, nowMs: number, limit: number): Array<DueTask<Value>> {
    return [...this.#table.range({ start: lane, end: [...lane, nowMs + 1], limit })].map(({ key, value }) => ({
      lane,
      id: String(key.at(-1)),
      value
    }))
  }

  /** When the first task of a lane is due that is not yet; undefined: there is none. */
  nextDueMs (lane: Lane, nowMs: number): number | undefined {
    const [next] = this.#table.range({ start: [...lane, nowMs + 1], end: behind(lane), limit: 1 })
    return next === undefined ? undefined : Number(next.key.at(-2))
  }
}

/** Texts come after numbers, so this is behind every time of the lane. */
function behind (lane: Lane): Key {
  return [...lane, '']
}
