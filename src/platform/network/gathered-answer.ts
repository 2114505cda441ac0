import { Transform, type TransformCallback } from 'node:stream'
import { ChunkCount, pieceBytes } from './chunk-count.ts'

export class UnboundedAnswer extends Error {
  override name = 'UnboundedAnswer'
}

/**
 * The answer of a server outside the service: limited in bytes, passed on in few pieces, and not cut into tiny chunks.
 * An answer that breaks a limit ends the stream with UnboundedAnswer.
 */
export class GatheredAnswer extends Transform {
  readonly #maxBytes: number
  readonly #count = new ChunkCount()
  #pieces: Buffer[] = []
  #gathered = 0
  #bytes = 0
  #isDue = false

  constructor (maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) return done(new UnboundedAnswer('more bytes than an answer may have'))
    if (this.#count.hasTinyChunks(chunk)) return done(new UnboundedAnswer('chunks of a few bytes each'))
    this.#pieces.push(chunk)
    this.#gathered += chunk.length
    // If the reader is slow, pieces are passed on too, so that they count against the sender.
    if (this.#gathered >= pieceBytes || this.readableLength >= this.readableHighWaterMark) this.#handOn()
    // Everything is passed on within this turn of the event loop, because the next chunk may take long to arrive.
    else if (!this.#isDue) {
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        if (!this.destroyed && !this.writableFinished) this.#handOn()
      })
    }
    done()
  }

  override _flush (done: TransformCallback): void {
    this.#handOn()
    done()
  }

  #handOn (): void {
    if (this.#gathered === 0) return
    const piece = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#gathered)
    this.#pieces = []
    this.#gathered = 0
    this.push(piece)
  }
}
