import meanings from './meanings.json' with { type: 'json' }

/** Measures that are defined: another one of the same meaning is not it. */
export const measures: ReadonlySet<string> = new Set(['ebitda', 'ebit', 'opex'])

const byWord = new Map<string, string[]>()
for (const [meaning, words] of Object.entries(meanings)) {
  for (const word of new Set([words].flat().join(' ').split(' '))) {
    byWord.set(word, [...byWord.get(word) ?? [], meaning])
  }
}

/**
 * What a word may mean, or two with `_` between them, the likeliest first; words of one meaning stand for each other in
 * names of columns.
 */
export function conceptsOf (word: string): readonly string[] {
  return byWord.get(word) ?? []
}
