/** Names that can be searched; their order is kept among equals. */
export class SearchableNames {
  readonly #folded: string[]

  constructor (names: readonly string[]) {
    this.#folded = names.map(fold)
  }

  /**
   * The places of at most `most` names that hold the text, in any case: first the name itself, then those that begin
   * with it; and how many there are.
   */
  search (text: string, most: number): { found: number[], count: number } {
    const wanted = fold(text.trim())
    const ranks: [number[], number[], number[]] = [[], [], []]
    let count = 0
    for (const [place, name] of this.#folded.entries()) {
      const at = wanted === '' ? 1 : name.indexOf(wanted)
      if (at < 0) continue
      count += 1
      const rank = ranks[at > 0 ? 2 : name.length === wanted.length ? 0 : 1]
      if (rank.length < most) rank.push(place)
    }
    return { found: ranks.flat().slice(0, most), count }
  }
}

function fold (text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
