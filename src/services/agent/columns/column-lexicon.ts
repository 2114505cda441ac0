import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { editDistance } from '../../../platform/text/edit-distance.ts'
import { foldUmlauts, nameParts, singular, wordsOfName } from '../../../platform/text/fold.ts'
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
/** The limit keeps a prompt of unknown words from costing too many comparisons. */
const maxCompared = 400

/** Columns by a key, in the order of the file. */
class ColumnIndex extends Map<string, ProfiledColumn[]> {
  add (key: string, column: ProfiledColumn): void {
    const columns = this.get(key)
    if (columns === undefined) this.set(key, [column])
    // Columns are added one after the other, so one that is there already is the last.
    else if (columns.at(-1) !== column) columns.push(column)
  }
}

/** Finds the columns of a file by the words that people use for them. */
export class ColumnLexicon {
  readonly #exact = new ColumnIndex()
  readonly #partial = new ColumnIndex()
  /** Columns by the words of their names, sorted. */
  readonly #byWords = new ColumnIndex()
  readonly #byConcept = new ColumnIndex()
  /**
   * Columns by their names without separators, and by what stands before a final number: `the markdowns` are
   * `MarkDown1` to `5`.
   */
  readonly #joined = new ColumnIndex()
  readonly #spellings: { spelling: string, column: ProfiledColumn }[] = []
  readonly #fuzzy = new Map<string, NamedColumns | undefined>()
  // A prompt may repeat a word thousands of times, and hundreds of columns may have it.
  readonly #synonyms = new Map<string, NamedColumns | undefined>()
  readonly #wholes = new Map<readonly ProfiledColumn[], ProfiledColumn[]>()
  /** The maximum number of words of a name; prompts may split a name into three pieces. */
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
        // Other spellings count like parts of names, so that a column with exactly that name comes first.
        for (const other of otherSpellings(parts)) {
          const said = spokenOf(other)
          if (said.length === 0) continue
          longest = Math.max(longest, Math.min(8, other.length))
          this.#partial.add(said.join(' '), column)
          // A spelling with as many words may name the column by a single word. Of `operating cost` for `opex`, neither
          // word does.
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
   * The columns with this name, or with these words as a distinctive part of their name. `isQuoted`: the prompt marks
   * the words as a name.
   */
  named (parts: readonly string[], isQuoted: boolean): NamedColumns | undefined {
    const key = parts.join(' ')
    if (!isQuoted && timeNames.has(key)) return undefined
    const joined = parts.join('')
    const exact = this.#exact.get(key) ??
      (joined.length < 4 || isOrdinary(joined) ? undefined : this.#joined.get(joined))
    if (exact !== undefined) return { columns: exact, likeness: 'exact' }
    // The order of words does not matter: `abandoned calls` are `calls_abandoned`.
    const partial = this.#partial.get(key) ??
      (parts.length > 1 ? this.#byWords.get(parts.toSorted().join(' ')) : undefined)
    return partial === undefined || (!isQuoted && words.function.has(key))
      ? undefined
      : { columns: this.#whole(partial), likeness: 'partial' }
  }

  /** The columns whose names mean the same as this word. */
  synonyms (part: string): NamedColumns | undefined {
    if (!this.#synonyms.has(part)) this.#synonyms.set(part, this.#meant(part))
    return this.#synonyms.get(part)
  }

  #meant (part: string): NamedColumns | undefined {
    if (measures.has(part)) return undefined
    const found = conceptsOf(part).map((concept) => this.#byConcept.get(concept) ?? []).filter(({ length }) =>
      length > 0
    )
    // A column with the word itself in its name comes first: `sold` means `cases_sold` rather than a column of units.
    const own = new Set(found.flat().filter((column) => columnWords(column).includes(part)))
    const columns = own.size > 0 ? [...own] : found[0]
    return columns === undefined ? undefined : { columns: this.#whole(columns), likeness: 'synonym' }
  }

  #whole (columns: ProfiledColumn[]): ProfiledColumn[] {
    const known = this.#wholes.get(columns) ?? whole(columns)
    this.#wholes.set(columns, known)
    return known
  }

  /** The columns with the most similar names, if any are similar. */
  similar (parts: readonly string[]): NamedColumns | undefined {
    const key = parts.join(' ')
    if (key.length < 4 || parts.every(isOrdinary)) return undefined
    if (!this.#fuzzy.has(key)) {
      if (this.#fuzzy.size > maxCompared) return undefined
      this.#fuzzy.set(key, this.#mostSimilar(key))
    }
    return this.#fuzzy.get(key)
  }

  /** The columns whose names are most similar to an unknown one. */
  #mostSimilar (key: string): NamedColumns | undefined {
    let least = key.length < 8 ? 1 : 2
    let columns: ProfiledColumn[] = []
    for (const { spelling, column } of this.#spellings) {
      // Misspellings rarely affect the first letter.
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

/** The columns of a whole: `calls` are all calls, not the abandoned ones. */
function whole (columns: ProfiledColumn[]): ProfiledColumn[] {
  const ofAll = columns.filter((column) => !columnWords(column).some((part) => words.partNames.has(part)))
  return ofAll.length === 1 ? ofAll : columns
}

/** The parts without those that people omit, such as units. */
function spokenOf (parts: readonly string[]): string[] {
  return parts.filter((part) => !unspoken.has(part))
}

/** Whether a part of a name is distinctive enough to stand for the name. */
function saysEnough (part: string): boolean {
  return !vague.has(part) && !timeNames.has(part) && part.length > 2
}

function spellings (column: ProfiledColumn): (readonly string[])[] {
  const umlauts = nameParts(column.name).map((part) => singular(foldUmlauts(part)))
  // The text in brackets is a unit, which people do not say.
  const bare = wordsOfName(column.name.replace(/[([].{0,40}[)\]]\s*$/u, ''))
  const all = new Map([columnWords(column), umlauts, bare].map((parts) => [parts.join(' '), parts]))
  return [...all.values()].filter((parts) => parts.length > 0)
}
