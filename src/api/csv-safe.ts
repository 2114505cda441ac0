import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

const [quote, comma, lineFeed] = [0x22, 0x2c, 0x0a]
const apostrophe = Buffer.from('\'')
/** With these a spreadsheet takes a cell for a formula. */
const dangerous: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'))
const signs: ReadonlySet<number> = new Set(Buffer.from('+-'))
const partsOfNumbers: ReadonlySet<number> = new Set(Buffer.from('+-.0123456789eE'))
const number = /^[+-](?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * The same CSV, safe for spreadsheets. An error of either stream ends both, and whoever reads sees it on the second.
 * `beforeChunk`: each piece of it is work of its own.
 */
export function csvSafe (stream: Readable, beforeChunk: () => void): Readable {
  return pipeline(stream, new CsvSafe(beforeChunk), () => undefined)
}

/**
 * Puts an apostrophe before cells that a spreadsheet would compute: in the header, in the item ids of the first column, and wherever
 * else a cell is no number, whose minus has to stay what it is. Chunks may be cut anywhere.
 */
export class CsvSafe extends Transform {
  #isHeader = true
  #isFirstCell = true
  #isCellStart = true
  #isQuoted = false
  /** Of a cell that may still turn out to be a number: what came of it in the chunks before. */
  #held: Buffer | undefined
  readonly #beforeChunk: () => void

  constructor (beforeChunk: () => void = () => undefined) {
    super()
    this.#beforeChunk = beforeChunk
  }

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#beforeChunk()
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#held !== undefined && (this.#endsCell(byte) || !partsOfNumbers.has(byte))) {
        this.#release(this.#endsCell(byte) ? chunk.subarray(from, at) : undefined)
      }
      if (this.#isCellStart && dangerous.has(byte)) {
        this.push(chunk.subarray(from, at))
        from = at
        if (signs.has(byte) && !this.#isHeader && !this.#isFirstCell) this.#held = Buffer.alloc(0)
        else this.push(apostrophe)
      }
      // The text of a quoted cell starts behind its quote.
      this.#isCellStart = this.#isCellStart && byte === quote && !this.#isQuoted
      if (byte === quote) this.#isQuoted = !this.#isQuoted
      else if (this.#endsCell(byte)) this.#separate(byte)
    }
    if (this.#held !== undefined) this.#held = Buffer.concat([this.#held, chunk.subarray(from)])
    else this.push(chunk.subarray(from))
    done()
  }

  override _flush (done: TransformCallback): void {
    if (this.#held !== undefined) this.#release(Buffer.alloc(0))
    done()
  }

  /** `rest`: the end of the cell, which is whole now; without it the cell is no number. */
  #release (rest: Buffer | undefined): void {
    const held = this.#held ?? Buffer.alloc(0)
    this.#held = undefined
    if (rest === undefined || !number.test(`${held.toString('latin1')}${rest.toString('latin1')}`)) this.push(apostrophe)
    this.push(held)
  }

  #endsCell (byte: number): boolean {
    return !this.#isQuoted && (byte === comma || byte === lineFeed)
  }

  #separate (byte: number): void {
    this.#isCellStart = true
    this.#isFirstCell = byte === lineFeed
    if (byte === lineFeed) this.#isHeader = false
  }
}
