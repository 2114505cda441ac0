/**
 * Work that waits in one lane. Members that share it, such as the visitors of one key, take turns; for each member the
 * oldest work goes first.
 */
export class LaneQueue<T> {
  /** In the order of their turns. */
  readonly #members = new Map<string, T[]>()

  get isEmpty (): boolean {
    return this.#members.size === 0
  }

  add (member: string, item: T): void {
    const own = this.#members.get(member)
    if (own === undefined) this.#members.set(member, [item])
    else own.push(item)
  }

  take (): T | undefined {
    const [first] = this.#members
    if (first === undefined) return undefined
    const [member, own] = first
    const item = own.shift()
    this.#members.delete(member)
    // Re-inserted at the end, so that other members come first.
    if (own.length > 0) this.#members.set(member, own)
    return item
  }
}
