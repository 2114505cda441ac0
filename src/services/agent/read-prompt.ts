import type { DataProfile } from '../../domain/data-profile.ts'
import { ColumnLexicon } from './columns/column-lexicon.ts'
import { withJoinedNames } from './columns/families.ts'
import { findMentions, findValueMentions } from './columns/mentions.ts'
import { ValueLexicon } from './columns/value-lexicon.ts'
import type { Reading } from './rules/rule.ts'
import { correctSpelling } from './text/correct-spelling.ts'
import { readNumberWords } from './text/number-words.ts'
import { readPhrases } from './text/phrases.ts'
import { PromptText } from './text/prompt-text.ts'
import { readTokens } from './text/tokens.ts'

/** The words of a prompt in one form, and where it names columns and values of the data. */
export function readPrompt (prompt: string, data: DataProfile): Reading {
  const columns = new ColumnLexicon(data)
  const values = new ValueLexicon(data)
  const mended = correctSpelling(readTokens(prompt), (part) => columns.hasPart(part) || values.hasPart(part))
  const text = new PromptText(prompt, readPhrases(readNumberWords(mended)))
  const valueMentions = findValueMentions(text, values).map((mention) => ({
    ...mention,
    to: endOfWords(text, mention.to)
  }))
  const ofValues = new Set(
    valueMentions.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset))
  )
  // `pump-b` is a value of the file, and no other word for its column.
  const mentions = withJoinedNames(findMentions(text, columns), text, data).filter(({ from, likeness }) =>
    likeness === 'exact' || likeness === 'partial' || !ofValues.has(from)
  )
  const end = data.series === null ? null : new Date(data.series.end)
  return {
    data,
    text,
    mentions,
    values: valueMentions,
    mentionAt: new Map(mentions.map((mention) => [mention.from, mention])),
    mentionBefore: new Map(mentions.map((mention) => [mention.to, mention])),
    valueAt: new Map(valueMentions.map((mention) => [mention.from, mention])),
    end: end === null || Number.isNaN(end.getTime()) ? null : end
  }
}

/** A word that was read as several, as `opex` is, ends with the last of them. */
function endOfWords ({ tokens }: PromptText, to: number): number {
  let last = to
  while (last < tokens.length && tokens[last]?.start === tokens[to - 1]?.start) last++
  return last
}
