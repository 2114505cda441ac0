import { millis, type Consumer, type JsMsg, type NatsConnection } from 'nats'
import type { JobSize } from '../../domain/job.ts'
import { decodeMessage } from './codec.ts'
import type { JobMessage } from './job-messages.ts'
import type { Link } from './link.ts'
import { toQueueError } from './nats-failure.ts'
import type { JobHandle } from './queue.ts'
import { jobsStream } from './streams.ts'

/** A message that this build cannot read waits this long for a worker that can. */
const unreadableDelayMs = 30_000
const requiredFields = ['jobId', 'tenant', 'dispatch', 'jobType', 'input', 'outputPrefix', 'spec', 'limits',
  'budgetMs'] as const

/**
 * Takes one message at a time, never a batch: a message that waits inside a busy worker would lose its lease and go to
 * another one.
 */
export class JobIntake {
  readonly #link: Link
  readonly #consumers = new Map<JobSize, { connection: NatsConnection, consumer: Consumer }>()

  constructor (link: Link) {
    this.#link = link
  }

  async next (size: JobSize, expiresMs: number): Promise<JobHandle | undefined> {
    let message: JsMsg | null
    let leaseMs: number
    try {
      const consumer = await this.#consumer(size)
      leaseMs = millis((await consumer.info(true)).config.ack_wait ?? 0)
      message = await consumer.next({ expires: expiresMs })
    } catch (error) {
      this.#consumers.delete(size)
      throw toQueueError(error, `next ${size} job`)
    }
    return message === null ? undefined : this.#open(message, leaseMs)
  }

  async #consumer (size: JobSize): Promise<Consumer> {
    const connection = this.#link.use()
    const known = this.#consumers.get(size)
    if (known?.connection === connection) return known.consumer
    const consumer = await connection.jetstream().consumers.get(jobsStream, size)
    this.#consumers.set(size, { connection, consumer })
    return consumer
  }

  #open (delivered: JsMsg, leaseMs: number): JobHandle | undefined {
    const seq = delivered.seq
    const send = (what: string, act: () => void) => {
      try {
        act()
      } catch (err) {
        // The connection is closing, so the lease will run out and the message will go to another worker.
        this.#link.log.debug({ err, seq, what }, 'job message answer not sent')
      }
    }
    let message: JobMessage
    try {
      message = decodeMessage<JobMessage>(delivered.data, 'job message', requiredFields)
    } catch (err) {
      this.#link.log.error({ err, seq }, 'job message refused')
      send('nak', () => delivered.nak(unreadableDelayMs))
      return undefined
    }
    return {
      message,
      seq,
      redelivered: delivered.redelivered,
      leaseMs,
      working: () => send('working', () => delivered.working()),
      ack: () => send('ack', () => delivered.ack()),
      nak: (delayMs) => send('nak', () => delivered.nak(delayMs))
    }
  }
}
