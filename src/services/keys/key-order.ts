const ageLength = 16

/** A text that sorts keys as lists show them: newest first, keys without a time last. */
export function positionOf (createdAtMs: number | null, id: string): string {
  return `${String(Number.MAX_SAFE_INTEGER - (createdAtMs ?? 0)).padStart(ageLength, '0')} ${id}`
}

interface Ordered {
  id: string
  createdAtMs: number
}

/** The keys of all tenants that are not revoked, sorted in memory, so that a page costs no more than its keys. */
export class KeyOrder {
  /** Sorted. */
  readonly #positions: string[]

  constructor (keys: Iterable<Ordered>) {
    this.#positions = Array.from(keys, ({ createdAtMs, id }) => positionOf(createdAtMs, id)).sort()
  }

  add ({ createdAtMs, id }: Ordered): void {
    const position = positionOf(createdAtMs, id)
    const index = this.#firstFrom(position)
    if (this.#positions[index] !== position) this.#positions.splice(index, 0, position)
  }

  remove ({ createdAtMs, id }: Ordered): void {
    const position = positionOf(createdAtMs, id)
    const index = this.#firstFrom(position)
    if (this.#positions[index] === position) this.#positions.splice(index, 1)
  }

  /** Ids after the position `after`, whose key may be gone; null: from the newest. */
  *behind (after: string | null): Generator<string, void, undefined> {
    for (let at = after === null ? 0 : this.#firstFrom(after); at < this.#positions.length; at++) {
      const position = this.#positions[at] ?? ''
      if (position !== after) yield position.slice(ageLength + 1)
    }
  }

  /** The index of the first position that is not before this one. */
  #firstFrom (position: string): number {
    let low = 0
    let high = this.#positions.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#positions[middle] ?? '') < position) low = middle + 1
      else high = middle
    }
    return low
  }
}
