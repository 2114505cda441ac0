import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

/** What each byte of a file goes through here: it is sent, or also counted into a zip, or also read as CSV. */
export type Sending = 'file' | 'zip' | 'safe'

const MiB = 2 ** 20
/** Of a core, measured. */
const msPerMiB: Record<Sending, number> = { file: 0.5, zip: 3, safe: 20 }
/** So that each takes about a millisecond at the most. */
const pieceBytes: Record<Sending, number> = { file: 256 * 1024, zip: 256 * 1024, safe: 64 * 1024 }
/**
 * The least that is sent of a file whose tenant stays in debt is a piece each so many milliseconds: connections without
 * a byte are cut after 120 s here, and after 60 by many proxies.
 */
const maxWaitMs = 30_000

export interface SentPiecesOptions {
  sending: Sending
  /** Does it now, or when the tenant has its turn of the thread. */
  inTurn: (work: () => void) => void
  /** What the tenant pays before a piece is sent. */
  pay: (cpuMs: number) => void
  /** Until the tenant is out of debt; 0: it is. */
  debtMs: () => number
  /** The longest wait for that; left out: 30 seconds. */
  waitMs?: number
}

/**
 * The same bytes, piece by piece in turns of the tenant, each when those before it are paid or it has waited for long.
 * An error of either stream ends both.
 */
export function sentPieces (stream: Readable, options: SentPiecesOptions): Readable {
  return pipeline(stream, new SentPieces(options), () => undefined)
}

class SentPieces extends Transform {
  readonly #options: SentPiecesOptions
  #timer: NodeJS.Timeout | undefined
  #sentMs = performance.now()

  constructor (options: SentPiecesOptions) {
    super()
    this.#options = options
  }

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { sending, inTurn, pay, debtMs, waitMs: mostMs = maxWaitMs } = this.#options
    const send = (): void => {
      if (this.destroyed) return
      const piece = chunk.subarray(0, pieceBytes[sending])
      const rest = chunk.subarray(piece.length)
      this.#sentMs = performance.now()
      pay(piece.length / MiB * msPerMiB[sending])
      if (rest.length === 0) {
        done(null, piece)
      } else {
        this.push(piece)
        this._transform(rest, _encoding, done)
      }
    }
    const waitMs = Math.min(debtMs(), this.#sentMs + mostMs - performance.now())
    if (waitMs > 0) this.#timer = setTimeout(() => this._transform(chunk, _encoding, done), waitMs)
    else inTurn(send)
  }

  override _destroy (error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }
}
