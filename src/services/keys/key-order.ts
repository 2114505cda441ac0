const ageLength = 16

/** Texts that sort as lists show keys: the newest first, and those last that have no time. */
export function positionOf (createdAtMs: number | null, id: string): string {
  return `${String(Number.MAX_SAFE_INTEGER - (createdAtMs ?? 0)).padStart(ageLength, '0')} ${id}`
}

interface Ordered {
  id: string
  createdAtMs: number
}

/** The keys of all tenants that are not revoked, in memory: a page of them costs no more than it shows. */
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

  /** Ids. `after`: a position, of a key that may be gone by now; null: from the newest. */
  *behind (after: string | null): Generator<string, void, undefined> {
    for (let at = after === null ? 0 : this.#firstFrom(after); at < this.#positions.length; at++) {
      const position = this.#positions[at] ?? ''
      if (position !== after) yield position.slice(ageLength + 1)
    }
  }

  /** Where the first is that is not before this one. */
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
