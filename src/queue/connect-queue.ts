import type { QueueLog } from './log.ts'
import type { Queue } from './queue.ts'

export interface QueueOptions {
  /** `nats://host:port`. */
  url: string
  /** Empty: the server asks for none. */
  token: string
  /** Shown by the server's monitoring. */
  name: string
  log: QueueLog
}

/**
 * Connects in the background and for ever: it returns at once, and calls made while there is no connection fail with
 * `unavailable`. Subscriptions may be made before the first connection.
 */
export declare function connectQueue (options: QueueOptions): Queue
