import type { DataProfile, ProfiledColumn } from '../../queue/data-profile.ts'
import { fold, foldUmlauts, nameParts, singular } from '../text/fold.ts'
import { jaroWinkler } from '../text/similarity.ts'
import { commonWords, functionWords, grammarWords } from '../text/vocabulary.ts'
import { conceptsOf, measures } from './concepts.ts'

export type Likeness = 'exact' | 'partial' | 'synonym' | 'fuzzy'

export interface NamedColumns {
  columns: ProfiledColumn[]
  likeness: Likeness
}

/** Words of a name that people leave out: units and kinds of keys. */
const unspoken = new Set('bar mw kw kwh mwh eur usd gbp chf pct percent celsius c f id code name no nr number ms kg mm km total value col column key'.split(' '))
/** Words that are names of columns only where the prompt says so, as they speak of time nearly always. */
const timeWords = new Set('date time day week month quarter year hour minute second timestamp datum'.split(' '))
/** Parts of names that mean nothing alone. */
const vague = new Set('rate speed balance sent sold order item level type group count avg average sum min max mean is has per of and the new net gross operating actual'.split(' '))

const leastLikeness = 0.88
const maxColumns = 2000

/** The columns of a file by the words that people have for them. It knows no other column. */
export class ColumnLexicon {
  readonly #exact = new Map<string, ProfiledColumn[]>()
  readonly #partial = new Map<string, ProfiledColumn[]>()
  readonly #byConcept = new Map<string, ProfiledColumn[]>()
  readonly #spellings: { spelling: string, column: ProfiledColumn }[] = []
  readonly #fuzzy = new Map<string, NamedColumns | undefined>()
  readonly longest: number

  constructor (data: DataProfile) {
    let longest = 1
    for (const column of data.columns.slice(0, maxColumns)) {
      for (const parts of spellings(column.name)) {
        if (parts.length === 0) continue
        longest = Math.max(longest, Math.min(8, parts.length))
        add(this.#exact, parts.join(' '), column)
        const spoken = parts.filter((part) => !unspoken.has(part))
        if (spoken.length > 0 && spoken.length < parts.length) add(this.#partial, spoken.join(' '), column)
        if (parts.length > 1) for (const part of spoken) if (!vague.has(part) && !timeWords.has(part) && part.length > 2) add(this.#partial, part, column)
        this.#spellings.push({ spelling: parts.join(' '), column })
        if (spoken.length < parts.length) this.#spellings.push({ spelling: spoken.join(' '), column })
        for (const part of parts) for (const concept of conceptsOf(part)) add(this.#byConcept, concept, column)
      }
    }
    this.longest = longest
  }

  /** Whether a column's name has this word. */
  hasPart (part: string): boolean {
    return this.#exact.has(part) || this.#partial.has(part)
  }

  /** The columns of which these words are the name, or a part of it that says enough. `isQuoted`: the prompt marks them as a name. */
  named (parts: readonly string[], isQuoted: boolean): NamedColumns | undefined {
    const key = parts.join(' ')
    if (!isQuoted && parts.length === 1 && timeWords.has(key)) return undefined
    const exact = this.#exact.get(key)
    if (exact !== undefined) return { columns: exact, likeness: 'exact' }
    const partial = this.#partial.get(key)
    return partial === undefined || (!isQuoted && functionWords.has(key)) ? undefined : { columns: partial, likeness: 'partial' }
  }

  /** The columns that mean what this word means. */
  synonyms (part: string): NamedColumns | undefined {
    if (measures.has(part)) return undefined
    for (const concept of conceptsOf(part)) {
      const columns = this.#byConcept.get(concept)
      if (columns !== undefined) return { columns, likeness: 'synonym' }
    }
    return undefined
  }

  /** The columns whose name looks most like these words, where one does. */
  similar (parts: readonly string[]): NamedColumns | undefined {
    const key = parts.join(' ')
    if (key.length < 4 || parts.every((part) => grammarWords.has(part) || functionWords.has(part) || commonWords.has(part))) return undefined
    if (!this.#fuzzy.has(key)) {
      // A text of unknown words only must not cost more than this many comparisons.
      if (this.#fuzzy.size > 400) return undefined
      this.#fuzzy.set(key, this.#mostSimilar(key))
    }
    return this.#fuzzy.get(key)
  }

  /** The names nearest to one that is none. */
  #mostSimilar (key: string): NamedColumns | undefined {
    let best = leastLikeness
    let columns: ProfiledColumn[] = []
    for (const { spelling, column } of this.#spellings) {
      // A short word with more letters at its end is another word.
      if (spelling.length < 4 || Math.abs(spelling.length - key.length) > (Math.min(key.length, spelling.length) < 6 ? 1 : 3) || timeWords.has(spelling)) continue
      const likeness = jaroWinkler(key, spelling)
      if (likeness < best) continue
      if (likeness > best) columns = []
      best = likeness
      if (!columns.includes(column)) columns.push(column)
    }
    return columns.length === 0 ? undefined : { columns, likeness: 'fuzzy' }
  }
}

function spellings (name: string): string[][] {
  const parts = nameParts(name)
  const plain = parts.map((part) => singular(fold(part)))
  const umlauts = parts.map((part) => singular(foldUmlauts(part)))
  // What stands in brackets is a unit, and is not said.
  const bare = nameParts(name.replace(/[([].{0,40}[)\]]\s*$/u, '')).map((part) => singular(fold(part)))
  const all = [plain, umlauts, bare]
  return all.filter((other, index) => other.length > 0 && all.findIndex((one) => one.join(' ') === other.join(' ')) === index)
}

function add (map: Map<string, ProfiledColumn[]>, key: string, column: ProfiledColumn): void {
  const columns = map.get(key)
  if (columns === undefined) map.set(key, [column])
  else if (!columns.includes(column)) columns.push(column)
}
