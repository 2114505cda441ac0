import { Transform, type TransformCallback } from 'node:stream'

const [quote, comma, lineFeed, apostrophe] = [0x22, 0x2c, 0x0a, 0x27]
/** With these a spreadsheet takes a cell for a formula. */
const dangerous: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'))

/**
 * Puts an apostrophe before cells of text that a spreadsheet would compute: in the header, and in the item ids of the
 * first column. The other cells are time stamps and numbers of ours, whose minus has to stay what it is. Chunks may be cut anywhere.
 */
export class CsvSafe extends Transform {
  #isHeader = true
  #isFirstCell = true
  #isCellStart = true
  #isQuoted = false

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#isCellStart && dangerous.has(byte) && (this.#isHeader || this.#isFirstCell)) {
        this.push(Buffer.concat([chunk.subarray(from, at), Buffer.of(apostrophe)]))
        from = at
      }
      // The text of a quoted cell starts behind its quote.
      this.#isCellStart = this.#isCellStart && byte === quote && !this.#isQuoted
      if (byte === quote) this.#isQuoted = !this.#isQuoted
      else if (!this.#isQuoted) this.#separate(byte)
    }
    done(null, chunk.subarray(from))
  }

  #separate (byte: number): void {
    if (byte !== comma && byte !== lineFeed) return
    this.#isCellStart = true
    this.#isFirstCell = byte === lineFeed
    if (byte === lineFeed) this.#isHeader = false
  }
}
