export { connectQueue } from './connect-queue.ts'
export type { QueueOptions } from './connect-queue.ts'
export { decodeResult, encodeResult } from './codec.ts'
export { EmbeddedServerError, QueueError } from './queue-error.ts'
export type { QueueErrorCode } from './queue-error.ts'
export type {
  ApiQueue, JobHandle, PublishedJob, Queue, QueueConnection, StreamSettings, StreamsInfo, Unsubscribe, WorkerQueue
} from './queue.ts'
export type { QueueLog } from './log.ts'
export { startEmbeddedServer } from './embedded-server.ts'
export type { EmbeddedServer, EmbeddedServerOptions } from './embedded-server.ts'
export { findNatsServer, NatsServerNotFound } from './find-nats-server.ts'
