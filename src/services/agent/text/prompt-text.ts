import type { Token } from './tokens.ts'

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
