/** Names that can be searched; equally good matches keep their order. */
export class SearchableNames {
  readonly #folded: string[]

  constructor (names: readonly string[]) {
    this.#folded = names.map(fold)
  }

  /**
   * The indices of at most `most` names that contain the text, in any case, and how many there are in all. The name
   * itself comes first, then names that begin with the text.
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
