/**
 * Of so many chunks, one with another, each should have as many bytes; rows of a table that are sent one by one have.
 */
const chunksTogether = 2_048
const leastBytesPerChunk = 8

/** Pieces of a body are joined to this before anybody looks at them. */
export const pieceBytes = 16 * 1024

/**
 * Counts the chunks of a body. Somebody who means harm cuts it into chunks of a byte: one read of the network holds ten
 * thousand of them, and each costs what a chunk of a kilobyte does.
 */
export class ChunkCount {
  #chunks = 0
  #bytes = 0

  /** Whether the body comes in crumbs, with this chunk. */
  isCrumbled (chunk: Uint8Array): boolean {
    this.#chunks++
    this.#bytes += chunk.length
    if (this.#chunks < chunksTogether) return false
    const isCrumbled = this.#bytes < leastBytesPerChunk * this.#chunks
    this.#chunks = 0
    this.#bytes = 0
    return isCrumbled
  }
}
