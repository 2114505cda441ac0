import { Readable } from 'node:stream'

/**
 * Server-sent events on their way to one reader. A reader that does not read is cut off, so that nothing is buffered
 * for it.
 */
export class EventStream {
  readonly readable = new Readable({ read: () => undefined })
  readonly #maxWaitingBytes: number
  #wasBehind = false
  #hasEnded = false

  constructor (maxWaitingBytes = 256 * 1024) {
    this.#maxWaitingBytes = maxWaitingBytes
    // Nobody awaits the end of the stream, and a reader that leaves is no error.
    this.readable.on('error', () => undefined)
  }

  /** Whether data waits because the connection does not accept it. */
  get isBehind (): boolean {
    return this.readable.readableLength > 0
  }

  /** Does nothing after the end: a heartbeat may be due while the last event is sent. */
  send (text: string): void {
    if (this.#hasEnded) return
    if (this.readable.readableLength + text.length > this.#maxWaitingBytes) {
      this.readable.destroy(new Error('the reader does not read'))
    } else this.readable.push(text)
  }

  /** Sends a heartbeat. A reader that is behind at two of them is cut off. */
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
