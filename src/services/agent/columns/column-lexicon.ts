import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { editDistance } from '../../../platform/edit-distance.ts'
import { foldUmlauts, nameParts, singular, wordsOfName } from '../text/fold.ts'
import { conceptsOf, measures } from '../words/meanings.ts'
import { isOrdinary, words } from '../words/word-lists.ts'
import { columnWords, otherSpellings } from './column-words.ts'

export type Likeness = 'exact' | 'partial' | 'synonym' | 'fuzzy'

export interface NamedColumns {
  columns: ProfiledColumn[]
  likeness: Likeness
}

const { unspokenInNames: unspoken, timeNames, vagueInNames: vague } = words
const maxColumns = 2000
/** A text of unknown words only must not cost more than this many comparisons. */
const maxCompared = 400

/** Columns by a key, in the order of the file. */
class ColumnIndex extends Map<string, ProfiledColumn[]> {
  add (key: string, column: ProfiledColumn): void {
    const columns = this.get(key)
    if (columns === undefined) this.set(key, [column])
    // Columns come one after the other, so one that is there already is the last.
    else if (columns.at(-1) !== column) columns.push(column)
  }
}

/** The columns of a file by the words that people have for them. It knows no other column. */
export class ColumnLexicon {
  readonly #exact = new ColumnIndex()
  readonly #partial = new ColumnIndex()
  /** By all words of a name in the order of the alphabet. */
  readonly #byWords = new ColumnIndex()
  readonly #byConcept = new ColumnIndex()
  /** By all letters of a name together, and by those before a last number: `the markdowns` are `MarkDown1` to `5`. */
  readonly #joined = new ColumnIndex()
  readonly #spellings: { spelling: string, column: ProfiledColumn }[] = []
  readonly #fuzzy = new Map<string, NamedColumns | undefined>()
  /** The most words of a name; a name may be written in three pieces. */
  readonly longest: number

  constructor (data: DataProfile) {
    let longest = 3
    for (const column of data.columns.slice(0, maxColumns)) {
      for (const parts of spellings(column)) {
        longest = Math.max(longest, Math.min(8, parts.length))
        const spoken = spokenOf(parts)
        this.#exact.add(parts.join(' '), column)
        this.#joined.add(parts.join(''), column)
        if (/^\d+$/.test(parts.at(-1) ?? '')) this.#joined.add(parts.slice(0, -1).join(''), column)
        if (spoken.length > 0 && spoken.length < parts.length) this.#partial.add(spoken.join(' '), column)
        if (spoken.length > 1) this.#byWords.add(spoken.toSorted().join(' '), column)
        if (parts.length > 1) { for (const part of spoken.filter(saysEnough)) this.#partial.add(part, column) }
        this.#spellings.push({ spelling: parts.join(' '), column })
        if (spoken.length < parts.length) this.#spellings.push({ spelling: spoken.join(' '), column })
        // Its other names count as parts of names do, so that a column that is really called so comes first.
        for (const other of otherSpellings(parts)) {
          const said = spokenOf(other)
          if (said.length === 0) continue
          longest = Math.max(longest, Math.min(8, other.length))
          this.#partial.add(said.join(' '), column)
          // A word for a word names it alone; of `operating cost` for `opex` neither does.
          if (other.length !== parts.length) continue
          for (const part of said) {
            if (!parts.includes(part) && saysEnough(part)) this.#partial.add(part, column)
            for (const concept of conceptsOf(part)) this.#byConcept.add(concept, column)
          }
        }
        for (const part of parts) for (const concept of conceptsOf(part)) this.#byConcept.add(concept, column)
      }
    }
    this.longest = longest
  }

  /** Whether a column's name has this word. */
  hasPart (part: string): boolean {
    return this.#exact.has(part) || this.#partial.has(part)
  }

  /**
   * The columns of which these words are the name, or a part of it that says enough. `isQuoted`: the prompt marks them
   * as a name.
   */
  named (parts: readonly string[], isQuoted: boolean): NamedColumns | undefined {
    const key = parts.join(' ')
    if (!isQuoted && timeNames.has(key)) return undefined
    const joined = parts.join('')
    const exact = this.#exact.get(key) ??
      (joined.length < 4 || isOrdinary(joined) ? undefined : this.#joined.get(joined))
    if (exact !== undefined) return { columns: exact, likeness: 'exact' }
    // `abandoned calls` are `calls_abandoned`.
    const partial = this.#partial.get(key) ??
      (parts.length > 1 ? this.#byWords.get(parts.toSorted().join(' ')) : undefined)
    return partial === undefined || (!isQuoted && words.function.has(key))
      ? undefined
      : { columns: whole(partial), likeness: 'partial' }
  }

  /** The columns that mean what this word means. */
  synonyms (part: string): NamedColumns | undefined {
    if (measures.has(part)) return undefined
    const found = conceptsOf(part).map((concept) => this.#byConcept.get(concept) ?? []).filter(({ length }) =>
      length > 0
    )
    // `sold` alone names no column, and is rather `cases_sold` than another word for `units`.
    const own = new Set(found.flat().filter((column) => columnWords(column).includes(part)))
    const columns = own.size > 0 ? [...own] : found[0]
    return columns === undefined ? undefined : { columns: whole(columns), likeness: 'synonym' }
  }

  /** The columns whose name looks most like these words, where one does. */
  similar (parts: readonly string[]): NamedColumns | undefined {
    const key = parts.join(' ')
    if (key.length < 4 || parts.every(isOrdinary)) return undefined
    if (!this.#fuzzy.has(key)) {
      if (this.#fuzzy.size > maxCompared) return undefined
      this.#fuzzy.set(key, this.#mostSimilar(key))
    }
    return this.#fuzzy.get(key)
  }

  /** The names nearest to one that is none. */
  #mostSimilar (key: string): NamedColumns | undefined {
    let least = key.length < 8 ? 1 : 2
    let columns: ProfiledColumn[] = []
    for (const { spelling, column } of this.#spellings) {
      // People get the first letter right.
      if (spelling.length < 4 || spelling[0] !== key[0] || timeNames.has(spelling)) continue
      const distance = editDistance(key, spelling, least)
      if (distance > least) continue
      if (distance < least) columns = []
      least = distance
      if (!columns.includes(column)) columns.push(column)
    }
    return columns.length === 0 ? undefined : { columns, likeness: 'fuzzy' }
  }
}

/** `calls` are all of them, and not those that were abandoned. */
function whole (columns: ProfiledColumn[]): ProfiledColumn[] {
  const ofAll = columns.filter((column) => !columnWords(column).some((part) => words.partNames.has(part)))
  return ofAll.length === 1 ? ofAll : columns
}

/** Without what people leave out, such as units. */
function spokenOf (parts: readonly string[]): string[] {
  return parts.filter((part) => !unspoken.has(part))
}

/** Whether a part of a name may stand for it. */
function saysEnough (part: string): boolean {
  return !vague.has(part) && !timeNames.has(part) && part.length > 2
}

function spellings (column: ProfiledColumn): (readonly string[])[] {
  const umlauts = nameParts(column.name).map((part) => singular(foldUmlauts(part)))
  // What stands in brackets is a unit, and is not said.
  const bare = wordsOfName(column.name.replace(/[([].{0,40}[)\]]\s*$/u, ''))
  const all = new Map([columnWords(column), umlauts, bare].map((parts) => [parts.join(' '), parts]))
  return [...all.values()].filter((parts) => parts.length > 0)
}
