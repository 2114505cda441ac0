import { nanos, type Msg } from 'nats'

const working = '+WPI'

/** One delivery of a message of a stream. */
export class Pulled {
  readonly seq: number
  /** This one included. */
  readonly deliveries: number
  readonly #message: Msg
  #isAnswered = false

  /** The subject of the answer tells what was delivered. A status has none. */
  static isOne ({ reply = '' }: Msg): boolean {
    return reply.startsWith('$JS.ACK.')
  }

  constructor (message: Msg) {
    // $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<deliveries>.<sequence>...
    const parts = (message.reply ?? '').split('.')
    const at = parts.length === 9 ? 4 : 6
    this.deliveries = Number(parts[at])
    this.seq = Number(parts[at + 1])
    this.#message = message
  }

  get data (): Uint8Array {
    return this.#message.data
  }

  working (): void {
    this.#answer(working)
  }

  ack (): void {
    this.#answer('+ACK')
  }

  nak (delayMs?: number): void {
    this.#answer(delayMs === undefined ? '-NAK' : `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`)
  }

  /** An answer is final, unless it says that work goes on. */
  #answer (text: string): void {
    if (this.#isAnswered) return
    this.#isAnswered = text !== working
    this.#message.respond(text)
  }
}
