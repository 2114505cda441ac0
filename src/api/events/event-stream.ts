import { Readable } from 'node:stream'

/**
 * The text of server-sent events on its way to one reader. Whoever does not read is cut off instead of being
 * remembered.
 */
export class EventStream {
  readonly readable = new Readable({ read: () => undefined })
  readonly #maxWaitingBytes: number
  #wasBehind = false
  #hasEnded = false

  constructor (maxWaitingBytes = 256 * 1024) {
    this.#maxWaitingBytes = maxWaitingBytes
    // Nobody waits for its end, and a reader that leaves is no error.
    this.readable.on('error', () => undefined)
  }

  /** Something waits that the connection does not take. */
  get isBehind (): boolean {
    return this.readable.readableLength > 0
  }

  /** What comes after the end is nothing: a heartbeat may be on its way while the last event is sent. */
  send (text: string): void {
    if (this.#hasEnded) return
    if (this.readable.readableLength + text.length > this.#maxWaitingBytes) {
      this.readable.destroy(new Error('the reader does not read'))
    } else this.readable.push(text)
  }

  /** A sign of life. A reader that is behind for two of them is cut off. */
  beat (): void {
    if (this.isBehind && this.#wasBehind) this.readable.destroy(new Error('the reader does not read'))
    this.#wasBehind = this.isBehind
    if (!this.readable.destroyed && !this.isBehind) this.send(': heartbeat\n\n')
  }

  end (): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.readable.push(null)
  }
}
