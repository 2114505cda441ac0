/** After so many chunks a body whose chunks have fewer bytes than this, one with another, comes in crumbs. */
const toleratedChunks = 2_048
const leastBytesPerChunk = 16

/** Pieces of a body are joined to this before anybody looks at them. */
export const pieceBytes = 16 * 1024

/**
 * Counts the chunks of a body. Somebody who means harm cuts it into chunks of a byte: one read of the network holds ten thousand of them,
 * and each costs what a chunk of a kilobyte does.
 */
export class ChunkCount {
  #chunks = 0
  #bytes = 0

  /** Whether it comes in crumbs, with this chunk. */
  isCrumbled (chunk: Uint8Array): boolean {
    this.#chunks++
    this.#bytes += chunk.length
    return this.#chunks > toleratedChunks && this.#bytes < leastBytesPerChunk * this.#chunks
  }
}
