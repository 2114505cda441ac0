/**
 * Chunks are judged in groups of this many, by the average number of bytes per chunk. Even a table sent row by row
 * passes.
 */
const chunksTogether = 2_048
const leastBytesPerChunk = 8

/** Chunks of a body are joined into pieces of this size before they are processed. */
export const pieceBytes = 16 * 1024

/**
 * Counts the chunks of a body. An attacker may cut it into chunks of one byte: a single read of the network holds ten
 * thousand of them, and each costs as much as a chunk of a kilobyte.
 */
export class ChunkCount {
  #chunks = 0
  #bytes = 0

  /** Whether the last chunks of the body, this one included, were tiny on average. */
  hasTinyChunks (chunk: Uint8Array): boolean {
    this.#chunks++
    this.#bytes += chunk.length
    if (this.#chunks < chunksTogether) return false
    const hasTinyChunks = this.#bytes < leastBytesPerChunk * this.#chunks
    this.#chunks = 0
    this.#bytes = 0
    return hasTinyChunks
  }
}
