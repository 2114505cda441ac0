import type { QueueLog } from './log.ts'

export interface EmbeddedServerOptions {
  /** Own folder of the server: state, configuration, log and streams. */
  folder: string
  /** nats-server binary; empty: looked up, see `findNatsServer`. */
  binary: string
  log: QueueLog
}

/** A private nats-server on loopback, started again when it dies. */
export interface EmbeddedServer {
  readonly url: string
  readonly token: string
  /** Process id of the server itself; undefined while it is being started again. */
  readonly pid: number | undefined
  stop (): Promise<void>
}

export declare function startEmbeddedServer (options: EmbeddedServerOptions): Promise<EmbeddedServer>
