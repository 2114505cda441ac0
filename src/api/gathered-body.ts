import { IncomingMessage } from 'node:http'

/** What is handed on at a time. */
const pieceBytes = 16 * 1024
/** After so many chunks a body whose chunks have fewer bytes than this, one with another, is given up. */
const toleratedChunks = 2_048
const leastBytesPerChunk = 16

/**
 * A request whose body comes in large pieces, however it is cut into chunks. One read of the network may hold ten thousand chunks of
 * one byte, and whoever looks at a body looks at each piece: joined, they cost what their bytes do.
 */
export class GatheredRequest extends IncomingMessage {
  #pieces: Buffer[] = []
  #bytes = 0
  #isDue = false
  #allChunks = 0
  #allBytes = 0
  #isRefused = false

  /** The body comes in crumbs, and the rest of it is dropped. */
  protected refuseBody (): void {
    this.destroy()
  }

  override push (chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isRefused) return false
    if (chunk === null) {
      this.#handOn()
      return super.push(null)
    }
    this.#allChunks++
    this.#allBytes += chunk.length
    if (this.#allChunks > toleratedChunks && this.#allBytes < leastBytesPerChunk * this.#allChunks) {
      this.#isRefused = true
      this.#pieces = []
      this.refuseBody()
      return false
    }
    if (this.#bytes === 0 && chunk.length >= pieceBytes) return super.push(chunk, encoding)
    this.#pieces.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= pieceBytes) return this.#handOn()
    // Nothing is kept beyond this turn: the next chunk may be long in coming.
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
