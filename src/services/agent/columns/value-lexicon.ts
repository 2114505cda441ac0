import type { DataProfile } from '../../../domain/data-profile.ts'
import { fold, foldUmlauts, nameParts, singular } from '../../../platform/text/fold.ts'
import { isOrdinary } from '../words/word-lists.ts'

export interface ColumnValue {
  column: string
  /** The value in the spelling of the file. */
  value: string
}

const maxParts = 6
const sign = /[+-]$/
const saidSigns = new Map([['negative', '-'], ['minus', '-'], ['positive', '+'], ['plus', '+']])

/** Finds the values of the text columns of a file, by their words in lower case. */
export class ValueLexicon {
  readonly #values = new Map<string, ColumnValue[]>()
  readonly #parts = new Set<string>()
  readonly longest: number
  #hasSigns = false
  /** What all values of a column begin with, before a letter or a digit of their own: `pump` of `pump-b`. */
  readonly #stems = new Set<string>()

  constructor (data: DataProfile) {
    let longest = 1
    // null: several values have the same initials, so it is unclear which is meant.
    const initials = new Map<string, ColumnValue | null>()
    for (const { name, kind, values, distinct } of data.columns) {
      if (kind !== 'text') continue
      const stems = new Set(values.map((value) => /^(\p{L}+)-[\p{L}\p{Nd}]$/u.exec(value)?.[1]))
      const [stem] = stems
      if (stem !== undefined && stems.size === 1 && values.length >= distinct) this.#stems.add(fold(stem))
      for (const value of values) {
        const parts = nameParts(value)
        // Numbers and single letters have too many other meanings.
        if (parts.length === 0 || parts.length > maxParts || value.length < 2 || /^[\d.,\s]+$/.test(value)) continue
        this.#hasSigns ||= sign.test(value)
        longest = Math.max(longest, parts.length + 1)
        // `NSW`; two letters are too often a word.
        if (parts.length > 2) {
          const short = fold(parts.map(([first = '']) => first).join(''))
          initials.set(short, initials.has(short) ? null : { column: name, value })
        }
        for (const key of new Set(
          [fold, foldUmlauts].map((spelling) => parts.map((part) => singular(spelling(part))).join(' '))
        )) {
          const known = this.#values.get(key)
          if (known === undefined) this.#values.set(key, [{ column: name, value }])
          // Columns are added one after the other, so one that is there already is the last. `O-` is not the same value
          // as `O+`.
          else if (known.at(-1)?.column !== name || sign.test(value)) known.push({ column: name, value })
          for (const part of key.split(' ')) this.#parts.add(part)
        }
      }
    }
    for (const [short, meant] of initials) {
      if (meant !== null && !this.#values.has(short) && !isOrdinary(short)) this.#values.set(short, [meant])
    }
    this.longest = longest
  }

  hasPart (part: string): boolean {
    return this.#parts.has(part)
  }

  /** `mark`: a sign directly after the words. Empty result: such values exist only with other signs. */
  find (parts: readonly string[], mark: string): ColumnValue[] | undefined {
    const found = this.#values.get(parts.join(' '))
    const said = saidSigns.get(parts.at(-1) ?? '')
    // `O negative`
    if (found === undefined && said !== undefined && mark === '' && this.#hasSigns) {
      return this.find(parts.slice(0, -1), said)
    }
    // `AB-`, of a file that has `A-` alone, and `pump-d`.
    const [first = '', second = ''] = parts
    const isLikeOnes = second === ''
      ? mark !== '' && this.#hasSigns && /^\p{L}{1,2}$/u.test(first)
      : parts.length === 2 && second.length === 1 && this.#stems.has(first)
    if (found === undefined && isLikeOnes) return []
    if (found?.some(({ value }) => sign.test(value)) !== true) return found
    const fitting = found.filter(({ value }) => (sign.exec(value)?.[0] ?? '') === mark)
    return mark === '' && fitting.length === 0 ? undefined : fitting
  }
}
