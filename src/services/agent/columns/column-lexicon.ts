import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { editDistance } from '../../../platform/edit-distance.ts'
import { fold, foldUmlauts, nameParts, singular } from '../text/fold.ts'
import { commonWords, functionWords, grammarWords } from '../text/vocabulary.ts'
import { otherSpellings } from './abbreviations.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf, measures } from './concepts.ts'

export type Likeness = 'exact' | 'partial' | 'synonym' | 'fuzzy'

export interface NamedColumns {
  columns: ProfiledColumn[]
  likeness: Likeness
}

/** Words of a name that people omit: units and kinds of keys. */
const unspoken = new Set(
  'bar mw kw kwh mwh gwh eur usd gbp chf pln sek nok dkk czk inr cny jpy aud cad pct percent percentage celsius c f k m id code name no nr number ms sec s kg g t mm cm km l gb mb tb kb hz rpm ppm hpa total value col column key utc local'
    .split(' ')
)
/** Words that name a column only if the prompt marks them as a name, because they are nearly always about time. */
const timeWords = new Set('date time day week month quarter year hour minute second timestamp datum'.split(' '))
/** Parts of names that are too vague alone. */
const vague = new Set(
  'rate speed balance handling handle sent sold order item level type group count avg average sum min max mean is has per of and the new net gross operating actual'
    .split(' ')
)

const maxColumns = 2000

/** Finds the columns of a file by the words that people use for them. */
export class ColumnLexicon {
  readonly #exact = new Map<string, ProfiledColumn[]>()
  readonly #partial = new Map<string, ProfiledColumn[]>()
  /** Columns by the words of their names, sorted. */
  readonly #byWords = new Map<string, ProfiledColumn[]>()
  readonly #byConcept = new Map<string, ProfiledColumn[]>()
  /** Columns of numbers by the vague words of their names. */
  readonly #byVague = new Map<string, ProfiledColumn[]>()
  readonly #byStem = new Map<string, ProfiledColumn[]>()
  readonly #spellings: { spelling: string, column: ProfiledColumn }[] = []
  readonly #fuzzy = new Map<string, NamedColumns | undefined>()
  /** Columns whose name denotes a part of a whole, such as abandoned calls. */
  readonly #ofPart = new Set<ProfiledColumn>()
  /**
   * Each list is narrowed only once, because a word may fit every column, and a prompt may have it thousands of times.
   */
  readonly #wholes = new Map<ProfiledColumn[], ProfiledColumn[]>()
  readonly longest: number

  constructor (data: DataProfile) {
    // Concepts have at most two words.
    let longest = 2
    for (const column of data.columns.slice(0, maxColumns)) {
      if (nameParts(column.name).some((part) => ofPart.has(fold(part)))) this.#ofPart.add(column)
      for (const parts of spellings(column)) {
        if (parts.length === 0) continue
        longest = Math.max(longest, Math.min(8, parts.length))
        add(this.#exact, parts.join(' '), column)
        const spoken = parts.filter((part) => !unspoken.has(part))
        if (spoken.length > 0 && spoken.length < parts.length) add(this.#partial, spoken.join(' '), column)
        if (spoken.length > 1) add(this.#byWords, spoken.toSorted().join(' '), column)
        if (parts.length > 1) {
          for (const part of spoken) {
            if (!vague.has(part) && !timeWords.has(part) && part.length > 2) add(this.#partial, part, column)
          }
        }
        this.#spellings.push({ spelling: parts.join(' '), column })
        if (spoken.length < parts.length) this.#spellings.push({ spelling: spoken.join(' '), column })
        // Other spellings count like parts of names, so that a column with exactly that name comes first.
        for (const other of otherSpellings(parts)) {
          const said = other.filter((part) => !unspoken.has(part))
          if (said.length === 0) continue
          longest = Math.max(longest, Math.min(8, other.length))
          add(this.#partial, said.join(' '), column)
          // A spelling with as many words may name the column by a single word. Of `operating cost` for `opex`, neither
          // word does.
          if (other.length !== parts.length) continue
          for (const part of said) {
            if (!parts.includes(part) && !vague.has(part) && !timeWords.has(part) && part.length > 2) {
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
      // A distinctive unit may name its column: `MVAr at each substation`.
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
   * The columns with this name, or with these words as a distinctive part of their name. `isQuoted`: the prompt marks
   * the words as a name.
   */
  named (parts: readonly string[], isQuoted: boolean): NamedColumns | undefined {
    const key = parts.join(' ')
    if (!isQuoted && parts.length === 1 && timeWords.has(key)) return undefined
    const exact = this.#exact.get(key)
    if (exact !== undefined) return { columns: exact, likeness: 'exact' }
    // The order of words does not matter: `abandoned calls` are `calls_abandoned`.
    const partial = this.#partial.get(key) ??
      (parts.length > 1 ? this.#byWords.get(parts.toSorted().join(' ')) : undefined)
    return partial === undefined || (!isQuoted && functionWords.has(key))
      ? undefined
      : { columns: this.#whole(partial), likeness: 'partial' }
  }

  /** The columns whose names mean the same as this word. */
  synonyms (part: string): NamedColumns | undefined {
    if (measures.has(part)) return undefined
    const concepts = conceptsOf(part)
    // A column with the word itself in its name comes first: `orders` means a column of orders before one of sales.
    const own = concepts.length === 0 ? undefined : this.#byVague.get(part)
    if (own !== undefined) return { columns: own, likeness: 'synonym' }
    for (const concept of concepts) {
      const columns = this.#byConcept.get(concept)
      if (columns !== undefined) return { columns: this.#whole(columns), likeness: 'synonym' }
    }
    // Words such as `publisher` do not stand for what is published.
    const stem = /(?:er|or)$/.test(part) || commonWords.has(part) || grammarWords.has(part) || functionWords.has(part)
      ? undefined
      : stemOf(part)
    const related = stem === undefined ? undefined : this.#byStem.get(stem)
    return related === undefined ? undefined : { columns: related, likeness: 'synonym' }
  }

  /** The columns with the most similar names, if any are similar. */
  similar (parts: readonly string[]): NamedColumns | undefined {
    const key = parts.join(' ')
    if (key.length < 4 ||
      parts.every((part) => grammarWords.has(part) || functionWords.has(part) || commonWords.has(part))) {
      return undefined
    }
    if (!this.#fuzzy.has(key)) {
      // The limit keeps a prompt of unknown words from costing too many comparisons.
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

  /** The columns whose names are most similar to an unknown one. */
  #mostSimilar (key: string): NamedColumns | undefined {
    let least = key.length < 8 ? 1 : 2
    let columns: ProfiledColumn[] = []
    // A long beginning identifies a name if only one name has it, such as `Rücklauftemp`.
    const begun = key.length < 6
      ? []
      : this.#spellings.filter(({ spelling }) => spelling.length <= 2 * key.length && spelling.startsWith(key)).map((
        { column }
      ) => column)
    if (new Set(begun).size === 1) return { columns: begun.slice(0, 1), likeness: 'fuzzy' }
    for (const { spelling, column } of this.#spellings) {
      // Misspellings rarely affect the first letter.
      if (spelling.length < 4 || spelling[0] !== key[0] || timeWords.has(spelling)) continue
      const distance = editDistance(key, spelling, least)
      if (distance > least) continue
      if (distance < least) columns = []
      least = distance
      if (!columns.includes(column)) columns.push(column)
    }
    return columns.length === 0 ? undefined : { columns, likeness: 'fuzzy' }
  }
}

/** Words that mark a part of a whole: `calls` are all calls, not the abandoned ones. */
const ofPart = new Set(
  'abandoned missed lost cancelled canceled rejected returned failed refused unanswered dropped late declined expired overdue repeat'
    .split(' ')
)

/** The common stem of words such as `abandonment` and `abandoned`; undefined for words that are too short. */
function stemOf (part: string): string | undefined {
  const stem = part.replace(/(?:ments?|ations?|ings?|ed|ers?|ions?|s)$/, '')
  return stem.length >= 5 ? stem : undefined
}

function spellings (column: ProfiledColumn): (readonly string[])[] {
  const { name } = column
  const plain = columnWords(column)
  const umlauts = nameParts(name).map((part) => singular(foldUmlauts(part)))
  // The text in brackets is a unit, which people do not say.
  const bare = nameParts(name.replace(/[([].{0,40}[)\]]\s*$/u, '')).map((part) => singular(fold(part)))
  const all = [plain, umlauts, bare]
  return all.filter((other, index) =>
    other.length > 0 && all.findIndex((one) => one.join(' ') === other.join(' ')) === index
  )
}

/** Columns are added one after the other, so one that is there already is the last. */
function add (map: Map<string, ProfiledColumn[]>, key: string, column: ProfiledColumn): void {
  const columns = map.get(key)
  if (columns === undefined) map.set(key, [column])
  else if (columns.at(-1) !== column) columns.push(column)
}
