import { fold, wordsOfName } from '../../../platform/text/fold.ts'

/** A word, number, date or mark of a prompt. */
export interface Token {
  /** The place of the token in the original prompt. */
  start: number
  end: number
  kind: 'word' | 'number' | 'date' | 'mark'
  /** The text that rules read: folded, and later with numbers as digits and units in normal form. */
  key: string
  /** The parts that names of columns are looked up by. */
  parts: string[]
}

/** How many characters of a prompt are read. Routes refuse longer prompts. */
export const maxPromptLength = 65_536
const maxWordLength = 64

// Each alternative begins with a different kind of character, or is tried only once at a place, so that the whole text
// is read only once.
const pattern = new RegExp([
  /(?<date>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?(?![\d-])|(?:0?[1-9]|[12]\d|3[01])[./](?:0?[1-9]|[12]\d|3[01])[./](?:\d{4}|\d{2})(?!\d)|\d{4}-\d{2}(?![\d-])|\d{4}-?[qQ][1-4](?!\w))/u,
  /(?<number>\p{Nd}{1,15}(?:[.,]\p{Nd}{1,15}){0,4}|(?<=\s)\.\p{Nd}{1,15})/u,
  // Of `i.e.` the dots end no sentence.
  /(?<latin>\b(?:i\.e|e\.g)\.|\b(?:i\.e|e\.g)\b)/iu,
  /(?<word>[\p{L}\p{M}_](?:[\p{L}\p{M}\p{Nd}\p{Cf}_]|['’](?=\p{L}))*)/u,
  /(?<paragraph>\n[^\S\n]*[\n*•-])/u,
  /\s+|<!--[^]{0,2000}?-->|<\/?[a-zA-Z][a-zA-Z0-9]{0,15}(?:\s[^<>]{0,200})?>/u,
  /(?<mark>>=|<=|!=|<>|==|->|\S)/u
].map((part) => part.source).join('|'), 'gu')

const skippedMarks = new Set(['~', '≈', '*', '#', '\u200b'])
const hyphens = new Set(['-', '‐', '‑'])

export function readTokens (prompt: string): Token[] {
  const text = prompt.slice(0, maxPromptLength)
  const tokens: Token[] = []
  for (const match of text.matchAll(pattern)) {
    const { date, number, latin, word, paragraph, mark } = match.groups as Partial<Record<string, string>>
    const place = { start: match.index, end: match.index + match[0].length }
    if (word !== undefined) {
      tokens.push({ ...place, ...readWord(word) })
    } else if (latin !== undefined) tokens.push({ ...place, ...readWord(latin.replaceAll('.', '')) })
    else if (number !== undefined) {
      tokens.push({ ...place, kind: 'number', key: readNumber(number), parts: [readNumber(number)] })
    } else if (date !== undefined) {
      tokens.push({ ...place, kind: 'date', key: date.toLowerCase(), parts: [date.toLowerCase()] })
    } else if (paragraph !== undefined) tokens.push({ ...place, kind: 'mark', key: '.', parts: [] })
    else if (mark !== undefined && !skippedMarks.has(mark) && !joinsWords(mark, place, tokens, text) &&
      !endsAbbreviation(mark, place, tokens)) tokens.push({ ...place, kind: 'mark', key: markKey(mark), parts: [] })
  }
  return tokens
}

function readWord (word: string): Pick<Token, 'kind' | 'key' | 'parts'> {
  // No real word is this long, so it is ignored.
  if (word.length > maxWordLength) return { kind: 'word', key: '…', parts: ['…'] }
  const key = fold(word).replaceAll('’', "'").replace(/'s$/, '')
  return { kind: 'word', key, parts: wordsOfName(word.replace(/['’]s$/, '')) }
}

/** Reads a number: `1,200` and `1,200.5` have thousands separators, `1,5` has a decimal comma. */
function readNumber (text: string): string {
  const plain = text.normalize('NFKC')
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.')
  const value = Number(grouped)
  return Number.isFinite(value) ? String(value) : plain
}

/** Whether the mark is the hyphen of a compound such as `half-hourly` or `6-week`, which is read as two words. */
function joinsWords (mark: string, place: { start: number, end: number }, tokens: Token[], text: string): boolean {
  return hyphens.has(mark) && tokens.at(-1)?.end === place.start && tokens.at(-1)?.kind !== 'mark' &&
    /^\p{L}/u.test(text.slice(place.end, place.end + 2))
}

const abbreviations = new Set(['incl', 'excl', 'approx', 'resp'])

/** Whether the mark is the dot of an abbreviation such as `incl.`, which does not end a sentence. */
function endsAbbreviation (mark: string, place: { start: number }, tokens: Token[]): boolean {
  const last = tokens.at(-1)
  return mark === '.' && last !== undefined && last.end === place.start && abbreviations.has(last.key)
}

function markKey (mark: string): string {
  if (/["“”„«»`]/.test(mark)) return '"'
  if (/['‘’]/.test(mark)) return "'"
  if (/^[.!?;。！？]$/.test(mark)) return '.'
  if (/->|[→⇒➜➔]/.test(mark)) return ':'
  if (/[–—−]/.test(mark)) return '-'
  return mark === '&' || mark === '+' ? 'and' : mark.toLowerCase()
}

/** The tokens of a prompt. */
export class PromptText {
  readonly tokens: readonly Token[]
  readonly original: string
  /** The end of the sentence of each token. It is kept because a prompt may be one sentence of 64 KiB. */
  readonly #ends: Int32Array

  constructor (original: string, tokens: readonly Token[]) {
    this.original = original
    this.tokens = tokens
    this.#ends = new Int32Array(tokens.length)
    for (let at = tokens.length - 1; at >= 0; at--) {
      this.#ends[at] = tokens[at]?.key === '.'
        ? at
        : this.#ends[at + 1] ?? tokens.length
    }
  }

  /**
   * The keys of these tokens as one text, with spaces between and around them. Tokens outside the prompt are left out.
   */
  keys (from: number, to: number): string {
    return ` ${this.tokens.slice(Math.max(0, from), Math.max(0, to)).map(({ key }) => key).join(' ')} `
  }

  key (index: number): string {
    return this.tokens[index]?.key ?? ''
  }

  /** These tokens as the sender wrote them. */
  source (from: number, to: number): string {
    const [first, last] = [this.tokens[from], this.tokens[to - 1]]
    return first === undefined || last === undefined ? '' : this.original.slice(first.start, last.end)
  }

  /** The end of the sentence that has the token. */
  sentenceEnd (index: number): number {
    return this.#ends[index] ?? index
  }
}
