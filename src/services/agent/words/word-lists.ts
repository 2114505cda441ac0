import lists from './word-lists.json' with { type: 'json' }

/** Lists of words by their meaning or use. */
export const words = Object.fromEntries(
  Object.entries(lists).map(([name, lines]) => [name, new Set(lines.join(' ').split(' '))])
) as unknown as Record<keyof typeof lists, ReadonlySet<string>>

/** Whether the word is an everyday word, so that it is neither a misspelling nor a name. */
export function isOrdinary (word: string): boolean {
  return words.function.has(word) || words.grammar.has(word) || words.common.has(word)
}
