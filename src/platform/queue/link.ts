import { connect, DebugEvents, Events, type Msg, type NatsConnection } from 'nats'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueLog } from './log.ts'
import { QueueError } from './queue-error.ts'
import type { Unsubscribe } from './queue.ts'
import { defined } from '../defined.ts'

export interface LinkOptions {
  /** `nats://host:port`, `tls://host:port` or `host:port`, or a comma list of them. */
  url: string
  /** Empty: the server asks for none. */
  token: string
  /** Shown by the server's monitoring. */
  name: string
  log: QueueLog
}

/** A lost server is noticed after two of these without an answer. */
const pingIntervalMs = 5_000
const pauseMs = 200
const drainMs = 2_000

/**
 * One connection that is always restored. The library reconnects on its own, but not before the first connection, and
 * not after an error that it takes for final. This class does, and then makes the subscriptions again.
 */
export class Link {
  readonly log: QueueLog
  readonly #options: LinkOptions
  readonly #listeners = new Set<(connected: boolean) => void>()
  readonly #attachments = new Map<(nc: NatsConnection) => Unsubscribe, Unsubscribe | undefined>()
  readonly #closing = new AbortController()
  readonly #done: Promise<void>
  #connection: NatsConnection | undefined
  #connected = false
  #lastFailure = ''

  constructor (options: LinkOptions) {
    this.#options = options
    this.log = options.log
    this.#done = this.#run()
  }

  get connected (): boolean {
    return this.#connected
  }

  get closing (): AbortSignal {
    return this.#closing.signal
  }

  /**
   * The live connection. Throws `unavailable` at once if there is none, because a request would only wait for its
   * timeout.
   */
  use (): NatsConnection {
    if (!this.#connected || this.#connection === undefined) {
      throw new QueueError('unavailable', 'no connection to the queue')
    }
    return this.#connection
  }

  /** Publishes a core message. If the server is away, the library keeps the message until it is back. */
  publish (subject: string, bytes: Uint8Array): void {
    if (this.#connection === undefined || this.#connection.isClosed() || this.#connection.isDraining()) return
    this.#connection.publish(subject, bytes)
  }

  /**
   * Subscribes on this connection and on every later one. Errors of the callback are logged: one bad message must not
   * end the rest.
   */
  subscribe (subject: string, queue: string | undefined, callback: (message: Msg) => void): Unsubscribe {
    return this.#attach((connection) => {
      const subscription = connection.subscribe(subject, {
        ...defined({ queue }),
        callback: (error, message) => {
          try {
            if (error) throw error
            callback(message)
          } catch (err) {
            this.log.error({ err, subject }, 'queue message refused')
          }
        }
      })
      return () => subscription.unsubscribe()
    })
  }

  onConnection (listener: (connected: boolean) => void): Unsubscribe {
    this.#listeners.add(listener)
    if (this.#connected) listener(true)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async ready (timeoutMs?: number): Promise<void> {
    if (this.#connected) return
    await new Promise<void>((resolve, reject) => {
      const end = (error?: QueueError) => {
        stop()
        clearTimeout(timer)
        this.closing.removeEventListener('abort', closed)
        if (error) reject(error)
        else resolve()
      }
      const closed = () => end(new QueueError('unavailable', 'the queue connection was closed'))
      const stop = this.onConnection((connected) => {
        if (connected) end()
      })
      const timer = timeoutMs === undefined
        ? undefined
        : setTimeout(() => end(new QueueError('unavailable', `no connection to the queue within ${timeoutMs} ms`)),
          timeoutMs)
      this.closing.addEventListener('abort', closed)
      if (this.closing.aborted) closed()
    })
  }

  async close (): Promise<void> {
    if (this.#closing.signal.aborted) return await this.#done
    this.#closing.abort()
    if (this.#connected && this.#connection !== undefined) {
      // Draining needs the server's answer, and a silent server must not delay the end of this process.
      await Promise.race([this.#connection.drain().catch(() => undefined), sleep(drainMs)])
    }
    await this.#connection?.close()
    await this.#done
  }

  #attach (setup: (nc: NatsConnection) => Unsubscribe): Unsubscribe {
    const connection = this.#connection
    this.#attachments.set(setup, connection && !connection.isClosed() ? setup(connection) : undefined)
    return () => {
      this.#attachments.get(setup)?.()
      this.#attachments.delete(setup)
    }
  }

  async #run (): Promise<void> {
    while (!this.closing.aborted) {
      const connection = await this.#connectOnce()
      if (connection === undefined) {
        await sleep(pauseMs, undefined, { signal: this.closing }).catch(() => undefined)
        continue
      }
      this.#connection = connection
      this.#lastFailure = ''
      for (const setup of this.#attachments.keys()) this.#attachments.set(setup, setup(connection))
      this.#tell(true)
      // Not awaited, because the library's status iterators do not end with their connection.
      this.#watch(connection).catch((err) => this.log.error({ err }, 'queue status not readable'))
      const error = await connection.closed()
      this.#tell(false)
      if (!this.closing.aborted) this.log.error({ err: error }, 'queue connection closed, connecting anew')
    }
  }

  async #connectOnce (): Promise<NatsConnection | undefined> {
    const { url, token, name } = this.#options
    try {
      const connection = await connect({
        servers: url.split(','),
        // Setting `tls` makes TLS mandatory. Without it the library would use TLS only if the server offers it.
        ...(url.includes('tls://') ? { tls: {} } : {}),
        name,
        ...(token === '' ? {} : { token }),
        timeout: 2_000,
        // Each request would record its stack in case it fails.
        noAsyncTraces: true,
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: pauseMs,
        reconnectJitter: pauseMs,
        pingInterval: pingIntervalMs,
        maxPingOut: 2
      })
      if (!this.closing.aborted) return connection
      await connection.close()
    } catch (err) {
      const reason = (err as Error).message
      // Logged once per reason. A connection is tried several times a second, and a wrong token must not be lost among
      // failed attempts.
      if (reason !== this.#lastFailure) this.log.warn({ reason }, 'queue not reachable')
      this.#lastFailure = reason
    }
    return undefined
  }

  async #watch (connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) this.#tell(false)
      else if (status.type === Events.Reconnect) this.#tell(true)
      else if (status.type === Events.Error) this.log.error({ error: status.data }, 'queue server reported an error')
      else if (status.type === DebugEvents.StaleConnection) this.log.warn({}, 'queue server does not answer')
    }
  }

  #tell (connected: boolean): void {
    if (connected === this.#connected) return
    this.#connected = connected
    if (!this.closing.aborted) this.log.info({ connected }, connected ? 'queue connected' : 'queue disconnected')
    for (const listener of this.#listeners) listener(connected)
  }
}
