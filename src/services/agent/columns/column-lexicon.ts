import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { editDistance } from '../../../platform/edit-distance.ts'
import { fold, foldUmlauts, nameParts, singular } from '../text/fold.ts'
import { isOrdinary, words } from '../words/word-lists.ts'
import { otherSpellings } from './abbreviations.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf, measures } from '../words/meanings.ts'

export type Likeness = 'exact' | 'partial' | 'synonym' | 'fuzzy'

export interface NamedColumns {
  columns: ProfiledColumn[]
  likeness: Likeness
}

const { unspokenInNames: unspoken, timeNames, vagueInNames: vague } = words
const maxColumns = 2000

/** The columns of a file by the words that people have for them. It knows no other column. */
export class ColumnLexicon {
  readonly #exact = new Map<string, ProfiledColumn[]>()
  readonly #partial = new Map<string, ProfiledColumn[]>()
  /** By all words of a name in the order of the alphabet. */
  readonly #byWords = new Map<string, ProfiledColumn[]>()
  readonly #byConcept = new Map<string, ProfiledColumn[]>()
  /** Amounts by the words of their names that mean nothing alone. */
  readonly #byVague = new Map<string, ProfiledColumn[]>()
  readonly #byStem = new Map<string, ProfiledColumn[]>()
  readonly #spellings: { spelling: string, column: ProfiledColumn }[] = []
  readonly #fuzzy = new Map<string, NamedColumns | undefined>()
  /** Columns whose name says that they are a part of something. */
  readonly #ofPart = new Set<ProfiledColumn>()
  /** A word may fit every column, and a prompt may have it thousands of times: each list is narrowed once. */
  readonly #wholes = new Map<ProfiledColumn[], ProfiledColumn[]>()
  readonly longest: number

  constructor (data: DataProfile) {
    // Words for columns are two at most.
    let longest = 2
    for (const column of data.columns.slice(0, maxColumns)) {
      if (nameParts(column.name).some((part) => words.partNames.has(fold(part)))) this.#ofPart.add(column)
      for (const parts of spellings(column)) {
        if (parts.length === 0) continue
        longest = Math.max(longest, Math.min(8, parts.length))
        add(this.#exact, parts.join(' '), column)
        const spoken = parts.filter((part) => !unspoken.has(part))
        if (spoken.length > 0 && spoken.length < parts.length) add(this.#partial, spoken.join(' '), column)
        if (spoken.length > 1) add(this.#byWords, spoken.toSorted().join(' '), column)
        if (parts.length > 1) {
          for (const part of spoken) {
            if (!vague.has(part) && !timeNames.has(part) && part.length > 2) add(this.#partial, part, column)
          }
        }
        this.#spellings.push({ spelling: parts.join(' '), column })
        if (spoken.length < parts.length) this.#spellings.push({ spelling: spoken.join(' '), column })
        // Its other names count as parts of names do, so that a column that is really called so comes first.
        for (const other of otherSpellings(parts)) {
          const said = other.filter((part) => !unspoken.has(part))
          if (said.length === 0) continue
          longest = Math.max(longest, Math.min(8, other.length))
          add(this.#partial, said.join(' '), column)
          // A word for a word names it alone; of `operating cost` for `opex` neither does.
          if (other.length !== parts.length) continue
          for (const part of said) {
            if (!parts.includes(part) && !vague.has(part) && !timeNames.has(part) && part.length > 2) {
              add(this.#partial, part, column)
            }
          }
          for (const part of said) for (const concept of conceptsOf(part)) add(this.#byConcept, concept, column)
        }
        for (const part of spoken) {
          if (vague.has(part) && column.kind === 'number') add(this.#byVague, part, column)
          const stem = stemOf(part)
          if (stem !== undefined && !vague.has(part)) add(this.#byStem, stem, column)
        }
        for (const part of parts) for (const concept of conceptsOf(part)) add(this.#byConcept, concept, column)
      }
      // `MVAr at each substation`: a unit that says enough.
      const unit = /[([]([\p{L}]{3,8})[)\]]\s*$/u.exec(column.name)?.[1]
      if (unit !== undefined && !unspoken.has(fold(unit))) {
        add(this.#partial, nameParts(unit).map((part) => singular(fold(part))).join(' '), column)
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
    if (!isQuoted && parts.length === 1 && timeNames.has(key)) return undefined
    const exact = this.#exact.get(key)
    if (exact !== undefined) return { columns: exact, likeness: 'exact' }
    // `abandoned calls` are `calls_abandoned`.
    const partial = this.#partial.get(key) ??
      (parts.length > 1 ? this.#byWords.get(parts.toSorted().join(' ')) : undefined)
    return partial === undefined || (!isQuoted && words.function.has(key))
      ? undefined
      : { columns: this.#whole(partial), likeness: 'partial' }
  }

  /** The columns that mean what this word means. */
  synonyms (part: string): NamedColumns | undefined {
    if (measures.has(part)) return undefined
    const concepts = conceptsOf(part)
    // `orders` are the intake of orders before they are sales.
    const own = concepts.length === 0 ? undefined : this.#byVague.get(part)
    if (own !== undefined) return { columns: own, likeness: 'synonym' }
    for (const concept of concepts) {
      const columns = this.#byConcept.get(concept)
      if (columns !== undefined) return { columns: this.#whole(columns), likeness: 'synonym' }
    }
    // A publisher is none of the articles that are published.
    const stem = /(?:er|or)$/.test(part) || isOrdinary(part)
      ? undefined
      : stemOf(part)
    const related = stem === undefined ? undefined : this.#byStem.get(stem)
    return related === undefined ? undefined : { columns: related, likeness: 'synonym' }
  }

  /** The columns whose name looks most like these words, where one does. */
  similar (parts: readonly string[]): NamedColumns | undefined {
    const key = parts.join(' ')
    if (key.length < 4 || parts.every(isOrdinary)) return undefined
    if (!this.#fuzzy.has(key)) {
      // A text of unknown words only must not cost more than this many comparisons.
      if (this.#fuzzy.size > 400) return undefined
      this.#fuzzy.set(key, this.#mostSimilar(key))
    }
    return this.#fuzzy.get(key)
  }

  #whole (columns: ProfiledColumn[]): ProfiledColumn[] {
    const known = this.#wholes.get(columns)
    if (known !== undefined) return known
    const whole = columns.filter((column) => !this.#ofPart.has(column))
    const narrowed = whole.length === 1 ? whole : columns
    this.#wholes.set(columns, narrowed)
    return narrowed
  }

  /** The names nearest to one that is none. */
  #mostSimilar (key: string): NamedColumns | undefined {
    let least = key.length < 8 ? 1 : 2
    let columns: ProfiledColumn[] = []
    // `Rücklauftemp` is the beginning of one name only.
    const begun = key.length < 6
      ? []
      : this.#spellings.filter(({ spelling }) => spelling.length <= 2 * key.length && spelling.startsWith(key)).map((
        { column }
      ) => column)
    if (new Set(begun).size === 1) return { columns: begun.slice(0, 1), likeness: 'fuzzy' }
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

/** What `abandonment` and `abandoned` begin with; undefined of words that are too short to say. */
function stemOf (part: string): string | undefined {
  const stem = part.replace(/(?:ments?|ations?|ings?|ed|ers?|ions?|s)$/, '')
  return stem.length >= 5 ? stem : undefined
}

function spellings (column: ProfiledColumn): (readonly string[])[] {
  const { name } = column
  const plain = columnWords(column)
  const umlauts = nameParts(name).map((part) => singular(foldUmlauts(part)))
  // What stands in brackets is a unit, and is not said.
  const bare = nameParts(name.replace(/[([].{0,40}[)\]]\s*$/u, '')).map((part) => singular(fold(part)))
  const all = [plain, umlauts, bare]
  return all.filter((other, index) =>
    other.length > 0 && all.findIndex((one) => one.join(' ') === other.join(' ')) === index
  )
}

/** Columns come one after the other, so one that is there already is the last. */
function add (map: Map<string, ProfiledColumn[]>, key: string, column: ProfiledColumn): void {
  const columns = map.get(key)
  if (columns === undefined) map.set(key, [column])
  else if (columns.at(-1) !== column) columns.push(column)
}
