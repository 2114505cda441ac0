import { functionWords, grammarWords } from './text/vocabulary.ts'
import type { PromptText } from './text/prompt-text.ts'

const maxSentences = 3
const maxLength = 80

export interface Coverage {
  /** Share of the words that carry a wish which went into the intent. */
  share: number
  /** Sentences of which next to nothing was understood, shortened. */
  notUsed: string[]
}

/** What of a prompt was understood; `isUsed` says it of a token. */
export function measureCoverage (text: PromptText, isUsed: (index: number) => boolean): Coverage {
  let content = 0
  let used = 0
  const notUsed: string[] = []
  for (let from = 0; from < text.tokens.length;) {
    const to = text.sentenceEnd(from)
    let ofSentence = 0
    let usedOfSentence = 0
    for (let index = from; index < to; index++) {
      const token = text.tokens[index]
      if (token === undefined || token.kind === 'mark' || functionWords.has(token.key)) continue
      ofSentence++
      if (isUsed(index) || grammarWords.has(token.key)) usedOfSentence++
    }
    if (ofSentence > 0 && usedOfSentence < ofSentence / 3 && notUsed.length < maxSentences) notUsed.push(`Not used: ${shorten(text.source(from, to))}`)
    content += ofSentence
    used += usedOfSentence
    from = to + 1
  }
  return { share: content === 0 ? 0 : used / content, notUsed }
}

/** On one line, without characters that cannot be seen. */
function shorten (source: string): string {
  const line = source.slice(0, 4 * maxLength).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
