import { IncomingMessage } from 'node:http'
import { ChunkCount, pieceBytes } from '../platform/network/chunk-count.ts'

/**
 * A request whose body arrives in large pieces, however small its chunks are. Readers pay for each piece, so joining
 * makes a body cost what its bytes cost.
 */
export class GatheredRequest extends IncomingMessage {
  #pieces: Buffer[] = []
  #bytes = 0
  #isDue = false
  readonly #count = new ChunkCount()
  #isRefused = false

  /** Called when the body arrives in tiny chunks; the rest of it is dropped. */
  protected refuseBody (): void {
    this.destroy()
  }

  /** Drops the rest of the body. */
  dropBody (): void {
    this.#isRefused = true
  }

  override push (chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isRefused) return false
    if (chunk === null) {
      this.#handOn()
      return super.push(null)
    }
    if (this.headers['transfer-encoding'] !== undefined && this.#count.hasTinyChunks(chunk)) {
      this.#isRefused = true
      this.#pieces = []
      this.#bytes = 0
      this.refuseBody()
      return false
    }
    if (this.#bytes === 0 && chunk.length >= pieceBytes) return super.push(chunk, encoding)
    this.#pieces.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= pieceBytes) return this.#handOn()
    // Hands the bytes on at the end of this pass, because the next chunk may take long.
    if (!this.#isDue) {
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        if (!this.destroyed) this.#handOn()
      })
    }
    return this.readableLength + this.#bytes < this.readableHighWaterMark
  }

  #handOn (): boolean {
    if (this.#bytes === 0) return true
    const piece = this.#pieces.length === 1 ? this.#pieces[0] as Buffer : Buffer.concat(this.#pieces, this.#bytes)
    this.#pieces = []
    this.#bytes = 0
    return super.push(piece)
  }
}
