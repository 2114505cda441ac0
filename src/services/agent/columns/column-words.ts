import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { singular, wordsOfName } from '../../../platform/text/fold.ts'
import abbreviations from '../words/abbreviations.json' with { type: 'json' }

/** Each name is split only once, because a prompt may name the same hundreds of columns thousands of times. */
const known = new WeakMap<ProfiledColumn, readonly string[]>()

/** The words of a column's name in their normal form. */
export function columnWords (column: ProfiledColumn): readonly string[] {
  const found = known.get(column)
  if (found !== undefined) return found
  const words = wordsOfName(column.name)
  known.set(column, words)
  return words
}

/** Short forms of words, and the words that they stand for. */
const entries = Object.entries(abbreviations).flatMap(([short, longs]) =>
  longs.split('|').map((long) => ({ short: singular(short), long: long.split(' ').map(singular) }))
)
const byShort = new Map<string, typeof entries>()
for (const entry of entries) byShort.set(entry.short, [...byShort.get(entry.short) ?? [], entry])

/** Other spellings of a name, by its words: short forms written out, and words replaced by their short forms. */
export function otherSpellings (parts: readonly string[]): string[][] {
  const others: string[][] = []
  parts.forEach((part, at) => {
    for (const { long } of byShort.get(part) ?? []) {
      others.push([...parts.slice(0, at), ...long, ...parts.slice(at + 1)])
    }
  })
  for (const { short, long } of entries) {
    const at = parts.findIndex((_, index) => long.every((word, offset) => parts[index + offset] === word))
    if (at >= 0) others.push([...parts.slice(0, at), short, ...parts.slice(at + long.length)])
  }
  return others
}
