import meanings from './meanings.json' with { type: 'json' }

/** Measures with a fixed definition. Another measure of the same concept does not stand for them. */
export const measures: ReadonlySet<string> = new Set(['ebitda', 'ebit', 'opex'])

const byWord = new Map<string, string[]>()
for (const [meaning, words] of Object.entries(meanings)) {
  for (const word of new Set([words].flat().join(' ').split(' '))) {
    byWord.set(word, [...byWord.get(word) ?? [], meaning])
  }
}

/**
 * The concepts that a word, or two words joined by `_`, may mean, the likeliest first. Words of one concept stand for
 * each other in names of columns.
 */
export function conceptsOf (word: string): readonly string[] {
  return byWord.get(word) ?? []
}
