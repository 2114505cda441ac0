import type { ConsumerMessages, JsMsg, Msg } from 'nats'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageVersion } from '../../domain/message-version.ts'
import { decodeMessage, encodeMessage } from './codec.ts'
import type { EndReply, EventMessage, GivenBack } from './job-messages.ts'
import type { Link } from './link.ts'
import type { QueueLog } from './log.ts'
import { toQueueError } from './nats-failure.ts'
import { QueueError } from './queue-error.ts'
import type { Unsubscribe } from './queue.ts'
import { eventsConsumer, eventsStream } from './streams.ts'

const publishTimeoutMs = 5_000
/** The library also pauses this long before it asks again after a failed reset, so it is short. */
const pullExpiresMs = 2_000
const maxBatch = 500
/** Deliveries of an event that the handler puts off, within about eight seconds. */
const maxTries = 6
const retryMs = 250
const pollMs = 25

/**
 * Asks the api to apply the event, which costs no write of the queue. Its answer comes when that is on disk. Without
 * such an answer the event goes into the stream; an event that comes twice changes nothing.
 */
export async function reportEnd (link: Link, event: EventMessage, timeoutMs: number): Promise<void> {
  try {
    const { data } = await link.use().request(`ends.${event.jobId}`, encodeMessage(event), { timeout: timeoutMs })
    if (decodeMessage<EndReply>(data, 'end reply', ['applied']).applied) return
  } catch (err) {
    link.log.debug({ err, jobId: event.jobId }, 'end of a run not applied yet')
  }
  await publishEvent(link, event)
}

export async function publishEvent (link: Link, event: EventMessage): Promise<void> {
  await publish(link, event)
}

/** Published instead of an end event. An api of an earlier release does not need it, and drops it as unreadable. */
export async function publishGivenBack (link: Link, run: GivenBack): Promise<void> {
  await publish(link, run)
}

async function publish (link: Link, message: EventMessage | GivenBack): Promise<void> {
  try {
    await link.use().jetstream().publish(`events.${message.jobId}`, encodeMessage(message), {
      msgID: `${message.jobId}:${message.run}`,
      timeout: publishTimeoutMs
    })
  } catch (error) {
    throw toQueueError(error, 'event publish')
  }
}

type BatchHandler = (events: EventMessage[], givenBack: GivenBack[]) => Promise<EventMessage[]>

/**
 * Takes events that workers report, and reads EVENTS through server restarts and rebuilt streams, until the returned
 * function is called.
 */
export function consumeEvents (link: Link, handler: BatchHandler): Unsubscribe {
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, link.closing])
  const batches = new Batches(link, handler)
  const unsubscribe = link.subscribe('ends.*', 'api', (message) => batches.add(reported(message)))
  readUntil(link, batches, signal).catch((err) => link.log.error({ err }, 'events reader ended'))
  return () => {
    unsubscribe()
    stopping.abort()
  }
}

async function readUntil (link: Link, batches: Batches, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await link.ready()
      const consumer = await link.use().jetstream().consumers.get(eventsStream, eventsConsumer)
      const messages = await consumer.consume({
        max_messages: maxBatch,
        expires: pullExpiresMs,
        abort_on_missing_resource: true,
        callback: (message) => batches.add(stored(message))
      })
      await ended(messages, signal, link.log)
      await batches.settled()
    } catch (err) {
      if (!signal.aborted) link.log.debug({ err }, 'events not readable yet')
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined)
  }
}

async function ended (messages: ConsumerMessages, signal: AbortSignal, log: QueueLog): Promise<void> {
  const stop = () => {
    messages.close().catch((err) => log.debug({ err }, 'events reader closed with an error'))
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await messages.closed()
  signal.removeEventListener('abort', stop)
}

/** An event, from the stream or from its worker. */
interface Arrived {
  data: Uint8Array
  /** Absent for an event that is not in the stream. */
  seq?: number
  deliveries: number
  ack: () => void
  putOff: (delayMs: number) => void
  refuse: () => void
}

function stored (message: JsMsg): Arrived {
  return {
    data: message.data,
    seq: message.seq,
    deliveries: message.info.deliveryCount,
    ack: () => message.ack(),
    putOff: (delayMs) => message.nak(delayMs),
    refuse: () => message.term('unreadable')
  }
}

/** What is not applied now, its worker puts into the stream. */
function reported (message: Msg): Arrived {
  const answer = (applied: boolean) => (): void => {
    const reply: EndReply = { v: messageVersion, applied }
    message.respond(encodeMessage(reply))
  }
  return { data: message.data, deliveries: 1, ack: answer(true), putOff: answer(false), refuse: answer(false) }
}

/**
 * Collects the events that arrive while a batch is being handled into the next one: latency stays low, and one disk
 * wait serves many events.
 */
class Batches {
  readonly #link: Link
  readonly #handler: BatchHandler
  #waiting: Arrived[] = []
  /** Sequence numbers of the events that wait or are being handled. What takes long is delivered again meanwhile. */
  readonly #held = new Set<number>()
  #running: Promise<void> | undefined

  constructor (link: Link, handler: BatchHandler) {
    this.#link = link
    this.#handler = handler
  }

  add (event: Arrived): void {
    if (event.seq !== undefined) {
      if (this.#held.has(event.seq)) return
      this.#held.add(event.seq)
    }
    this.#waiting.push(event)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async settled (): Promise<void> {
    await this.#running
  }

  async #run (): Promise<void> {
    // Waits one turn of the event loop, so that messages of the same network packet share a batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const arrived = this.#waiting
      this.#waiting = []
      await this.#handle(arrived)
      for (const { seq } of arrived) if (seq !== undefined) this.#held.delete(seq)
    }
  }

  async #handle (arrived: Arrived[]): Promise<void> {
    const readable: Arrived[] = []
    const events = new Map<EventMessage, Arrived>()
    const givenBack: GivenBack[] = []
    for (const one of arrived) {
      try {
        const event = decodeMessage<EventMessage | GivenBack>(one.data, 'event', ['jobId', 'tenant', 'run'])
        if ('givenBack' in event) givenBack.push(event)
        else if (event.code === undefined) throw new QueueError('protocol', 'event: field code is missing')
        else events.set(event, one)
        readable.push(one)
      } catch (err) {
        // This build will never be able to read the event. The reconciler can still adopt the result from the run's
        // result.cbor.
        this.#link.log.error({ err, seq: one.seq }, 'event refused')
        one.refuse()
      }
    }
    if (readable.length === 0) return
    try {
      const putOff = await this.#handler([...events.keys()], givenBack)
      const later = new Set(putOff.map((event) => events.get(event)))
      for (const one of readable) {
        if (later.has(one) && one.deliveries < maxTries) one.putOff(retryMs * 2 ** (one.deliveries - 1))
        else one.ack()
      }
    } catch (err) {
      this.#link.log.error({ err, events: readable.length }, 'events not applied, they come again')
      for (const one of readable) one.putOff(retryMs)
    }
  }
}

export async function eventsLastSequence (link: Link): Promise<number> {
  return (await eventsState(link)).last_seq
}

/**
 * An acknowledged message leaves a work queue, so the stream's first sequence number shows which messages are still
 * open.
 */
export async function drainEventsTo (link: Link, seq: number, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const { messages, first_seq: first } = await eventsState(link)
    if (messages === 0 || first > seq) return
    await sleep(pollMs, undefined, { signal: link.closing })
  }
}

async function eventsState (link: Link) {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    return (await manager.streams.info(eventsStream)).state
  } catch (error) {
    throw toQueueError(error, 'events')
  }
}
