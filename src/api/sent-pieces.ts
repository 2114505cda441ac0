import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream'

/** How a file is sent: as it is, inside a zip, or as CSV that is made safe for spreadsheets. */
export type Sending = 'file' | 'zip' | 'safe'

const MiB = 2 ** 20
/** Measured on one core. */
const msPerMiB: Record<Sending, number> = { file: 0.5, zip: 3, safe: 20 }
/** Small enough that each piece takes about a millisecond at most. */
const pieceBytes: Record<Sending, number> = { file: 256 * 1024, zip: 256 * 1024, safe: 64 * 1024 }
/**
 * While a tenant stays in debt, its files still get one piece in this time. Idle connections are cut after 120 s here,
 * and after 60 s by many proxies.
 */
const maxWaitMs = 30_000

export interface SentPiecesOptions {
  sending: Sending
  /** Runs `work` now, or when it is the tenant's turn. */
  inTurn: (work: () => void) => void
  /** Charges the tenant before a piece is sent. */
  pay: (cpuMs: number) => void
  /** Milliseconds until the tenant is out of debt; 0 without a debt. */
  debtMs: () => number
  /** The longest wait for a piece; default: 30 seconds. */
  waitMs?: number
}

/**
 * The same bytes in pieces, each in a turn of the tenant, once the debt is paid or the piece has waited long enough. An
 * error of either stream ends both.
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
