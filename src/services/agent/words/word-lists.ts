import { wordSets } from '../../../platform/text/word-sets.ts'
import lists from './word-lists.json' with { type: 'json' }

/** Lists of words by their meaning or use. */
export const words = wordSets(lists)

/** Whether the word is an everyday word, so that it is neither a misspelling nor a name. */
export function isOrdinary (word: string): boolean {
  return words.function.has(word) || words.grammar.has(word) || words.common.has(word)
}
