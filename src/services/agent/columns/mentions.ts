import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/tokens.ts'
import { words } from '../words/word-lists.ts'
import { columnWords } from './column-words.ts'
import type { ColumnLexicon, Likeness, NamedColumns } from './column-lexicon.ts'
import type { ColumnValue, ValueLexicon } from './value-lexicon.ts'

/** Tokens from `from` up to `to` that name a column; several columns if the words fit more than one. */
export interface Mention {
  from: number
  to: number
  columns: ProfiledColumn[]
  likeness: Likeness
}

export interface ValueMention {
  from: number
  to: number
  /** One value for each column that has it. */
  values: ColumnValue[]
}

interface Flat {
  parts: string[]
  /** The token that each part belongs to. */
  tokens: number[]
}

/**
 * Finds mentions of columns. More words come before fewer, and a whole name before a part of it, a synonym and a
 * similar name.
 */
export function findMentions (text: PromptText, lexicon: ColumnLexicon): Mention[] {
  const flat = flatten(text)
  const mentions: Mention[] = []
  for (let index = 0; index < flat.parts.length;) {
    const found = longestAt(flat, index, lexicon.longest, (parts, from, to) => nameAt(text, lexicon, parts, from, to))
    if (found === undefined) index++
    else {
      const { from, to, value: { columns, likeness } } = found
      mentions.push({ from, to, columns: qualified(text, from, to, columns), likeness })
      index = found.next
    }
  }
  return mentions
}

export function findValueMentions (text: PromptText, lexicon: ValueLexicon): ValueMention[] {
  const flat = flatten(text)
  const mentions: ValueMention[] = []
  for (let index = 0; index < flat.parts.length;) {
    const found = longestAt(flat, index, lexicon.longest, (parts, _, to) => lexicon.find(parts, signBehind(text, to)))
    if (found === undefined) index++
    else {
      const { from, to, value: values } = found
      const isSigned = values.length === 0 || values.some(({ value }) => /[+-]$/.test(value))
      mentions.push({ from, to: isSigned && signBehind(text, to) !== '' ? to + 1 : to, values })
      index = found.next
    }
  }
  return mentions
}

/** The sign directly after a value, such as the minus of `O-`. */
function signBehind ({ original, tokens }: PromptText, to: number): string {
  const end = tokens[to - 1]?.end ?? original.length
  return /^[+-](?![\p{L}\p{Nd}])/u.exec(original.slice(end, end + 2))?.[0] ?? ''
}

function flatten ({ tokens }: PromptText): Flat {
  const flat: Flat = { parts: [], tokens: [] }
  tokens.forEach((token, index) => {
    for (const part of token.parts) {
      flat.parts.push(part)
      flat.tokens.push(index)
    }
  })
  return flat
}

/**
 * Finds the longest run of parts from here for which there is a value. A run begins and ends at the borders of tokens.
 */
function longestAt<T> (flat: Flat, index: number, longest: number,
  find: (parts: string[], from: number, to: number) => T | undefined
): { value: T, from: number, to: number, next: number } | undefined {
  const from = flat.tokens[index] as number
  if (flat.tokens[index - 1] === from) return undefined
  for (let length = Math.min(longest, flat.parts.length - index); length > 0; length--) {
    const last = flat.tokens[index + length - 1] as number
    // A run must not cross the end of a sentence, or more marks than a name has.
    if (flat.tokens[index + length] === last || last - from > length + 1) continue
    const value = find(flat.parts.slice(index, index + length), from, last + 1)
    if (value !== undefined) return { value, from, to: last + 1, next: index + length }
  }
  return undefined
}

function nameAt (text: PromptText, lexicon: ColumnLexicon, parts: string[], from: number, to: number):
  | NamedColumns
  | undefined {
  const isQuoted = isName(text, from, to)
  const named = lexicon.named(parts, isQuoted)
  if (named !== undefined) return named
  // An identifier such as `net_profit` is a whole name, so neither a part nor a synonym of it counts.
  const isIdentifier = to - from === 1 && parts.length > 1
  // Some concepts have two words: `no shows`, `top line`.
  const joined = !isIdentifier && !isQuoted && parts.length === 2 ? lexicon.synonyms(parts.join('_')) : undefined
  if (joined !== undefined) return joined
  if (!isIdentifier && (parts.length > 2 || (parts.length === 2 && !parts.every((part) => isOpen(part, lexicon))))) {
    return undefined
  }
  const meant = parts.length === 1 && !isQuoted && !isIdle(text, from, to)
    ? lexicon.synonyms(parts[0] as string)
    : undefined
  return meant ?? lexicon.similar(parts)
}

/**
 * Of several columns that a word may mean, chooses the one whose name also has the word next to it: `gross takings`,
 * `MW load`.
 */
function qualified (text: PromptText, from: number, to: number, columns: ProfiledColumn[]): ProfiledColumn[] {
  const fitting = [text.tokens[from - 1], text.tokens[to]].map((token) => token?.parts[0] ?? '')
    .map((beside) => words.function.has(beside) ? [] : columns.filter((column) => columnWords(column).includes(beside)))
  return (columns.length > 1 ? fitting.find(({ length }) => length === 1) : undefined) ?? columns
}

/** Whether a word names no quantity here: `views` and `order volume` do, `a view of` and `in order to` do not. */
function isIdle (text: PromptText, from: number, to: number): boolean {
  const key = text.key(from)
  return to - from === 1 && words.countedInPlural.has(key) &&
    !/^(?:volumes?|counts?|numbers?|levels?|totals?|figures|forecast|intake|rates?)$/.test(text.key(to))
}

/** Whether a word may be part of a misspelt name: it is not a name itself and has no other meaning. */
function isOpen (part: string, lexicon: ColumnLexicon): boolean {
  return /^\p{L}/u.test(part) && part.length > 1 && !words.function.has(part) && !words.grammar.has(part) &&
    lexicon.named([part], false)?.likeness !== 'exact' && lexicon.synonyms(part) === undefined
}

/** Whether these tokens are in quotation marks, or next to the word `column`. */
export function isName (text: PromptText, from: number, to: number): boolean {
  const quotes = ['"', "'"]
  return (quotes.includes(text.key(from - 1)) && quotes.includes(text.key(to))) ||
    /^(?:columns?|field)$/.test(text.key(from - 1)) || /^(?:columns?|field)$/.test(text.key(to))
}
