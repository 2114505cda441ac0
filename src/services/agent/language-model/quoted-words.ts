import type { PromptText } from '../text/prompt-text.ts'

const maxLength = 200

/** The tokens of these words in the prompt; undefined if the prompt does not have them. */
export function quotedWords (text: PromptText, words: string): { from: number, to: number } | undefined {
  const wanted = words.trim()
  if (wanted === '' || wanted.length > maxLength) return undefined
  const start = indexOf(text.original, wanted)
  if (start < 0) return undefined
  const stop = start + wanted.length
  const from = text.tokens.findIndex((token) => token.start >= start)
  const to = text.tokens.findLastIndex((token) => token.end <= stop) + 1
  return from < 0 || to <= from ? undefined : { from, to }
}

/** Ignores case, if that does not change the length of the texts. */
function indexOf (text: string, words: string): number {
  const [lower, wanted] = [text.toLowerCase(), words.toLowerCase()]
  return lower.length === text.length && wanted.length === words.length ? lower.indexOf(wanted) : text.indexOf(words)
}
