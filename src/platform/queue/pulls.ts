import { checkJsError, createInbox, nanos, type Msg } from 'nats'
import type { Link } from './link.ts'
import { Pulled } from './pulled.ts'
import { QueueError } from './queue-error.ts'

/** The server ends a pull on time; an answer that comes later than this was lost. */
const slackMs = 250
/** Status codes of a pull whose time was over. */
const noMessage = new Set([404, 408])

interface Waiting {
  inbox: string
  end: (message: Msg | undefined) => void
  fail: (error: Error) => void
}

/**
 * Pulls messages of a consumer, one after the other, through one subscription. The library makes a subscription for
 * each pull, which costs the worker and the server more than the message does.
 */
export class Pulls {
  readonly #link: Link
  readonly #subject: string
  readonly #inbox = createInbox()
  #count = 0
  #waiting: Waiting | undefined

  constructor (link: Link, stream: string, consumer: string) {
    this.#link = link
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`
    link.subscribe(`${this.#inbox}.*`, undefined, (message) => this.#take(message))
  }

  /** Call it again only when it has ended. Undefined: no message came within `expiresMs`. */
  async next (expiresMs: number): Promise<Pulled | undefined> {
    const inbox = `${this.#inbox}.${++this.#count}`
    let timer: NodeJS.Timeout | undefined
    let stop = (): void => undefined
    try {
      const message = await new Promise<Msg | undefined>((resolve, reject) => {
        this.#waiting = { inbox, end: resolve, fail: reject }
        timer = setTimeout(resolve, expiresMs + slackMs, undefined)
        // The server forgets the pulls of a lost connection.
        stop = this.#link.onConnection((isConnected) => {
          if (!isConnected) reject(new QueueError('unavailable', 'the connection was lost during a pull'))
        })
        this.#link.use().publish(this.#subject, JSON.stringify({ batch: 1, expires: nanos(expiresMs) }), {
          reply: inbox
        })
      })
      return message && new Pulled(message)
    } finally {
      clearTimeout(timer)
      stop()
      this.#waiting = undefined
    }
  }

  #take (message: Msg): void {
    const waiting = this.#waiting
    if (Pulled.isOne(message)) {
      if (waiting !== undefined) waiting.end(message)
      // Its pull is over, so another worker, or the next pull, gets it.
      else new Pulled(message).nak()
      this.#waiting = undefined
    } else if (message.subject === waiting?.inbox) {
      const error = checkJsError(message)
      if (error === null || noMessage.has(Number(error.code))) waiting.end(undefined)
      else waiting.fail(error)
    }
  }
}
