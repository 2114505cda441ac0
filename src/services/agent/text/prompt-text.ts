import type { Token } from './tokens.ts'

export interface Match {
  /** Tokens from `from` up to, and without, `to`. */
  from: number
  to: number
  groups: Partial<Record<string, string>>
}

/** The tokens of a prompt, and one line of their keys, each between two spaces, that the patterns of rules run over. */
export class PromptText {
  readonly tokens: readonly Token[]
  readonly original: string
  readonly #line: string
  readonly #starts: Int32Array
  /** Of each token; a prompt may be one sentence of 64 KiB. */
  readonly #ends: Int32Array

  constructor (original: string, tokens: readonly Token[]) {
    this.original = original
    this.tokens = tokens
    this.#starts = new Int32Array(tokens.length)
    this.#ends = new Int32Array(tokens.length)
    for (let at = tokens.length - 1; at >= 0; at--) {
      this.#ends[at] = tokens[at]?.key === '.'
        ? at
        : this.#ends[at + 1] ?? tokens.length
    }
    let offset = 1
    tokens.forEach((token, index) => {
      this.#starts[index] = offset
      offset += token.key.length + 1
    })
    this.#line = ` ${tokens.map(({ key }) => key).join(' ')} `
  }

  /** Every place where the pattern, made by `phrase`, fits. */
  *find (pattern: RegExp): Generator<Match> {
    for (const match of this.#line.matchAll(pattern)) {
      if (match[0] === '') continue
      yield {
        from: this.#tokenAt(match.index),
        to: this.#tokenAt(match.index + match[0].length - 1) + 1,
        groups: match.groups ?? {}
      }
    }
  }

  /** The keys of some tokens as one text between spaces; what lies outside the prompt is left out. */
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

  /** Where the sentence ends that a token stands in. */
  sentenceEnd (index: number): number {
    return this.#ends[index] ?? index
  }

  #tokenAt (offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/**
 * A pattern of whole words, separated by one space. `~` stands for up to three words of the same part of a sentence.
 */
export function phrase (source: string): RegExp {
  return new RegExp(`(?<= )(?:${source.replaceAll('~', '(?:(?!(?:[.,]|and) )[^ ]+ ){0,3}?')})(?= )`, 'g')
}
