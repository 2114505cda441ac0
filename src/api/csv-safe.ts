import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

const [quote, comma, lineFeed] = [0x22, 0x2c, 0x0a]
const apostrophe = Buffer.from("'")
const nothing = Buffer.alloc(0)
/** A spreadsheet treats a cell that begins with one of these as a formula. */
const dangerous = table('=+-@\t\r')
const signs = table('+-')
const partsOfNumbers = table('+-.0123456789eE')
const number = /^[+-](?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * The same CSV, made safe for spreadsheets. An error of either stream ends both; the reader sees it on the returned
 * one.
 */
export function csvSafe (stream: Readable): Readable {
  return pipeline(stream, new CsvSafe(), () => undefined)
}

/**
 * Puts an apostrophe before cells that a spreadsheet would evaluate: in the header, in the item ids of the first
 * column, and in other cells that are not numbers, since a negative number must keep its minus. Chunks may end
 * anywhere.
 */
export class CsvSafe extends Transform {
  #isHeader = true
  #isFirstCell = true
  #isCellStart = true
  #isQuoted = false
  /** The part of a cell from earlier chunks that may still turn out to be a number. */
  #held: Buffer | undefined
  /** Collects the output of one chunk, since thousands of cells would otherwise be thousands of pieces. */
  #output = Buffer.alloc(0)
  #outputBytes = 0

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    // Every byte may begin a cell that gets an apostrophe, and so may the held part.
    this.#open((this.#held?.length ?? 0) + 1 + 2 * chunk.length)
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#held !== undefined && (this.#endsCell(byte) || partsOfNumbers[byte] === 0)) {
        this.#release(this.#endsCell(byte) ? chunk.toString('latin1', from, at) : undefined)
      }
      if (this.#isCellStart && dangerous[byte] === 1) {
        this.#write(chunk, from, at)
        from = at
        if (signs[byte] === 1 && !this.#isHeader && !this.#isFirstCell) this.#held = nothing
        else this.#write(apostrophe)
      }
      // The text of a quoted cell starts after its quote.
      this.#isCellStart = this.#isCellStart && byte === quote && !this.#isQuoted
      if (byte === quote) this.#isQuoted = !this.#isQuoted
      else if (this.#endsCell(byte)) this.#separate(byte)
    }
    if (this.#held !== undefined) this.#held = Buffer.concat([this.#held, chunk.subarray(from)])
    else this.#write(chunk, from)
    done(null, this.#written())
  }

  override _flush (done: TransformCallback): void {
    this.#open((this.#held?.length ?? 0) + 1)
    if (this.#held !== undefined) this.#release('')
    done(null, this.#written())
  }

  /** `rest`: the end of a complete cell. Without it the cell is already known to be no number. */
  #release (rest: string | undefined): void {
    const held = this.#held ?? nothing
    this.#held = undefined
    if (rest === undefined || !number.test(held.toString('latin1') + rest)) this.#write(apostrophe)
    this.#write(held)
  }

  #open (maxBytes: number): void {
    this.#output = Buffer.allocUnsafeSlow(maxBytes)
    this.#outputBytes = 0
  }

  #write (bytes: Buffer, from = 0, to = bytes.length): void {
    this.#outputBytes += bytes.copy(this.#output, this.#outputBytes, from, to)
  }

  #written (): Buffer {
    return this.#output.subarray(0, this.#outputBytes)
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

/** Maps each of these bytes to 1. A Set takes several times as long, and every byte is looked up. */
function table (characters: string): Uint8Array {
  const found = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) found[byte] = 1
  return found
}
