import { millis, type Consumer, type NatsConnection } from 'nats'
import { decodeMessage } from './codec.ts'
import type { Link } from './link.ts'
import { toQueueError } from './nats-failure.ts'
import type { Pulled } from './pulled.ts'
import { Pulls } from './pulls.ts'
import type { Delivery } from './queue.ts'

/** A message that this build cannot read waits this long for a worker that can. */
const unreadableDelayMs = 30_000

export interface IntakeOptions<Message> {
  stream: string
  /** What a message is, for errors. */
  what: string
  requiredFields: ReadonlyArray<keyof Message & string>
}

/**
 * Takes one message of a stream at a time, never a batch: a message that waits inside a busy worker would lose its
 * lease and go to another one.
 */
export class Intake<Message extends { v: number }> {
  readonly #link: Link
  readonly #options: IntakeOptions<Message>
  readonly #consumers = new Map<string, { connection: NatsConnection, consumer: Consumer }>()
  readonly #pulls = new Map<string, Pulls>()

  constructor (link: Link, options: IntakeOptions<Message>) {
    this.#link = link
    this.#options = options
  }

  async next (name: string, expiresMs: number): Promise<Delivery<Message> | undefined> {
    let message: Pulled | undefined
    let leaseMs: number
    try {
      const consumer = await this.#consumer(name)
      leaseMs = millis((await consumer.info(true)).config.ack_wait ?? 0)
      message = await this.#pullsOf(name).next(expiresMs)
    } catch (error) {
      this.#consumers.delete(name)
      throw toQueueError(error, `next ${name} ${this.#options.what}`)
    }
    return message && this.#open(message, leaseMs)
  }

  #pullsOf (name: string): Pulls {
    const known = this.#pulls.get(name) ?? new Pulls(this.#link, this.#options.stream, name)
    this.#pulls.set(name, known)
    return known
  }

  async #consumer (name: string): Promise<Consumer> {
    const connection = this.#link.use()
    const known = this.#consumers.get(name)
    if (known?.connection === connection) return known.consumer
    const consumer = await connection.jetstream().consumers.get(this.#options.stream, name)
    this.#consumers.set(name, { connection, consumer })
    return consumer
  }

  #open (delivered: Pulled, leaseMs: number): Delivery<Message> | undefined {
    const { what, requiredFields } = this.#options
    const seq = delivered.seq
    const send = (answer: string, act: () => void) => {
      try {
        act()
      } catch (err) {
        // The connection is closing, so the lease will run out and the message will go to another worker.
        this.#link.log.debug({ err, seq, answer }, `answer to a ${what} not sent`)
      }
    }
    let message: Message
    try {
      message = decodeMessage<Message>(delivered.data, what, requiredFields)
    } catch (err) {
      this.#link.log.error({ err, seq }, `${what} refused`)
      send('nak', () => delivered.nak(unreadableDelayMs))
      return undefined
    }
    return {
      message,
      seq,
      redelivered: delivered.deliveries > 1,
      deliveries: delivered.deliveries,
      leaseMs,
      working: () => send('working', () => delivered.working()),
      ack: () => send('ack', () => delivered.ack()),
      nak: (delayMs) => send('nak', () => delivered.nak(delayMs))
    }
  }
}
