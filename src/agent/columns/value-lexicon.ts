import type { DataProfile } from '../../queue/data-profile.ts'
import { fold, foldUmlauts, nameParts, singular } from '../text/fold.ts'

export interface ColumnValue {
  column: string
  /** In the spelling of the file. */
  value: string
}

const maxParts = 6

/** The values that the text columns of a file have, by their words in lower case. */
export class ValueLexicon {
  readonly #values = new Map<string, ColumnValue[]>()
  readonly #parts = new Set<string>()
  readonly longest: number

  constructor (data: DataProfile) {
    let longest = 1
    for (const { name, kind, values } of data.columns) {
      if (kind !== 'text') continue
      for (const value of values) {
        const parts = nameParts(value)
        // A number, or a letter, is said of too much else.
        if (parts.length === 0 || parts.length > maxParts || value.length < 2 || /^[\d.,\s]+$/.test(value)) continue
        longest = Math.max(longest, parts.length)
        for (const key of new Set([fold, foldUmlauts].map((spelling) => parts.map((part) => singular(spelling(part))).join(' ')))) {
          const known = this.#values.get(key)
          if (known === undefined) this.#values.set(key, [{ column: name, value }])
          else if (!known.some((other) => other.column === name)) known.push({ column: name, value })
          for (const part of key.split(' ')) this.#parts.add(part)
        }
      }
    }
    this.longest = longest
  }

  hasPart (part: string): boolean {
    return this.#parts.has(part)
  }

  find (parts: readonly string[]): ColumnValue[] | undefined {
    return this.#values.get(parts.join(' '))
  }
}
