import lists from './word-lists.json' with { type: 'json' }

/** Lists of words by what they have in common. */
export const words = Object.fromEntries(
  Object.entries(lists).map(([name, lines]) => [name, new Set(lines.join(' ').split(' '))])
) as unknown as Record<keyof typeof lists, ReadonlySet<string>>

/** Whether a word is one of every day, and so neither a slip nor the name of something. */
export function isOrdinary (word: string): boolean {
  return words.function.has(word) || words.grammar.has(word) || words.common.has(word)
}
