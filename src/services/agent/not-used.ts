import { singular } from '../../platform/text/fold.ts'
import type { PromptText } from './text/tokens.ts'
import { isOrdinary, words } from './words/word-lists.ts'

const maxSentences = 3
const maxLength = 80
/** The beginning of the constraints that quote what was not understood. */
export const notUsedLead = 'Not used: '

export interface Coverage {
  /** The share of the meaningful words that went into the intent. */
  share: number
  /** The number of meaningful words. */
  words: number
  /**
   * Sentences of which almost nothing was understood, and unused words of other sentences that may be a wish;
   * shortened, at most three.
   */
  notUsed: string[]
  /** The same, in full. */
  lost: LostWords[]
}

/** The tokens from `from` up to `to`; `words` has them as the sender wrote them. */
export interface LostWords {
  words: string
  /** Whether they are a whole sentence. */
  isSentence: boolean
  from: number
  to: number
  /** The token at which the understood text continues. */
  behind: number
}

/**
 * Measures how much of a prompt was understood. `isUsed` says whether a token was. `namesParts`: also report unused
 * words of sentences that were mostly understood.
 */
export function measureCoverage (text: PromptText, isUsed: (index: number) => boolean, namesParts = true): Coverage {
  let content = 0
  let used = 0
  const lost: LostWords[] = []
  for (let from = 0; from < text.tokens.length;) {
    const to = text.sentenceEnd(from)
    let ofSentence = 0
    let usedOfSentence = 0
    for (let index = from; index < to; index++) {
      const token = text.tokens[index]
      if (token === undefined || token.kind === 'mark' || words.function.has(token.key)) continue
      ofSentence++
      if (isUsed(index) || words.grammar.has(token.key)) usedOfSentence++
    }
    if (ofSentence > 0 && usedOfSentence < ofSentence / 3) {
      lost.push({ words: shorten(text.source(from, to)), isSentence: true, from, to, behind: to })
    } else if (lost.length < maxSentences && usedOfSentence >= ofSentence / 2) {
      lost.push(...lostWishes(text, from, to, isUsed))
    }
    content += ofSentence
    used += usedOfSentence
    from = to + 1
  }
  return {
    share: content === 0 ? 0 : used / content,
    words: content,
    notUsed: lost.filter(({ isSentence }) => isSentence || namesParts).slice(0, maxSentences).map(({ words }) =>
      `${notUsedLead}${words}`
    ),
    lost
  }
}

const clauseEnd = /^(?:,|;|:|\(|\)|-|but|then)$/

/** Finds unused words of a sentence that may be a wish: clauses that ask for something, and runs of unusual words. */
function lostWishes (text: PromptText, from: number, to: number, isUsed: (index: number) => boolean): LostWords[] {
  const lost: LostWords[] = []
  for (let begin = from; begin < to;) {
    let end = begin
    while (end < to && (end === begin || !clauseEnd.test(text.key(end)))) end++
    for (let at = begin; at < end;) {
      let stop = at
      while (stop < end && !isUsed(stop)) stop++
      const last = isUsed(stop) ? beforeLead(text, at, stop) : stop
      if (last > at && isWish(text, at, last)) lost.push(lostPart(text, at, last, stop))
      at = Math.max(at, stop) + 1
    }
    begin = end
  }
  return lost
}

/** Words such as `judged by` directly before understood words belong to them. */
function beforeLead (text: PromptText, from: number, to: number): number {
  let last = to
  while (last > from && words.function.has(text.key(last - 1))) last--
  return last < to && last > from && /(?:ed|ing)$/.test(text.key(last - 1)) ? last - 1 : last
}

/**
 * Whether unused words may be a wish: a verb of excluding or adding with an object, or unusual words. A single unusual
 * word counts only as an item of a list, or as an object.
 */
function isWish (text: PromptText, from: number, to: number): boolean {
  let asks = false
  let content = 0
  let rare = 0
  for (let index = from; index < to; index++) {
    const token = text.tokens[index]
    if (token === undefined || token.kind === 'mark' || words.function.has(token.key)) {
      asks ||= words.wishes.has(token?.key ?? '')
      continue
    }
    content++
    if (asks) return true
    if (words.wishes.has(token.key)) asks = true
    else if (token.kind === 'word' && isRare(token.key)) rare++
  }
  if (rare === 0) return false
  let first = from
  while (first < to - 1 && words.function.has(text.key(first)) && !words.objectLeads.has(text.key(first))) first++
  return content > 1 || words.objectLeads.has(text.key(first)) || words.objectLeads.has(text.key(first - 1))
}

/** Whether the word is unusual in ordinary sentences. */
export function isRare (key: string): boolean {
  return key.length > 2 &&
    [key, singular(key)].every((word) => !isOrdinary(word) && !words.requestLabels.has(word))
}

/** These tokens, without meaningless words at both ends. `behind`: the token after them. */
function lostPart (text: PromptText, from: number, to: number, behind: number): LostWords {
  const says = (index: number): boolean =>
    text.tokens[index]?.kind !== 'mark' && (words.wishes.has(text.key(index)) || !words.function.has(text.key(index)))
  let [first, last] = [from, to]
  while (first < last - 1 && !says(first)) first++
  while (last > first + 1 && !says(last - 1)) last--
  return { words: shorten(text.source(first, last)), isSentence: false, from: first, to: last, behind }
}

/** The text on one line, shortened, without invisible characters. */
function shorten (source: string): string {
  const line = source.slice(0, 4 * maxLength).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
