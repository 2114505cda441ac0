import type { JobSize } from '../../domain/job.ts'
import type { ClaimReply, ClaimRequest, EventMessage, GivenBack, JobMessage, NewsMessage } from './job-messages.ts'
import type { QuickCheckReply, QuickCheckRequest, QuickConnectorReply, QuickConnectorRequest, QuickConvertReply,
  QuickConvertRequest, QuickDeliverReply, QuickDeliverRequest, QuickPreviewReply, QuickPreviewRequest,
  QuickProfileReply, QuickProfileRequest } from './quick-messages.ts'
import type { ShardMessage, ShardNews, ShardsOver } from './shard-messages.ts'
import type { WorkerMessage } from './worker-message.ts'

/** Ends a subscription or a listener; calling it twice is harmless. */
export type Unsubscribe = () => void

export interface StreamSettings {
  /** The most jobs in JOBS; beyond that, `publishJob` fails with `full`. */
  maxJobs: number
  /** The most bytes in EVENTS. */
  maxEventBytes: number
  /** Milliseconds without `working()` after which a job message goes to another worker. */
  leaseMs: number
  /** Servers of a cluster that keep each message. */
  replicas: number
}

export interface StreamsInfo {
  /**
   * When JOBS was created, as the server writes it. Another value means that the stream was rebuilt and lost its
   * messages.
   */
  jobsCreated: string
}

/** The current state of the streams. */
export interface StreamState {
  serverVersion: string
  /** The server's clock; null if the server does not tell it. */
  serverTimeMs: number | null
  jobMessages: number
  eventMessages: number
  shardMessages: number
  /** `stream/consumer` of the consumers that should exist. */
  missingConsumers: string[]
}

/** The shards in the queue. */
export interface ShardCounts {
  waiting: number
  /** Workers have them and have not finished them. */
  taken: number
}

export interface PublishedJob {
  /** Sequence number in JOBS, for `deleteJobMessage` and `jobMessageExists`. */
  seq: number
  /** The stream already had this message id (within two minutes), so nothing new was stored. */
  duplicate: boolean
}

/** One delivery of a message. It belongs to this worker until `leaseMs` after the last `working()`. */
export interface Delivery<Message> {
  readonly message: Message
  readonly seq: number
  /** The message was delivered to a worker before, which may have left a result. */
  readonly redelivered: boolean
  /** How often it was delivered, this time included. */
  readonly deliveries: number
  readonly leaseMs: number
  /** Extends the lease. */
  working(): void
  /** Removes the message from the queue. If the acknowledgement is lost, the next claim is answered with drop. */
  ack(): void
  /** Gives the message back, at once or after a delay. */
  nak(delayMs?: number): void
}

export type JobHandle = Delivery<JobMessage>
export type ShardHandle = Delivery<ShardMessage>

/** The calls that every process uses. */
export interface QueueConnection {
  readonly connected: boolean
  /**
   * Resolves when the first connection is there. Rejects with `unavailable` after `timeoutMs`; without a limit it waits
   * forever.
   */
  ready(timeoutMs?: number): Promise<void>
  /**
   * Calls the listener at each change, and at once if already connected. Streams may have vanished meanwhile, so call
   * `ensureStreams`.
   */
  onConnection(listener: (connected: boolean) => void): Unsubscribe
  /** Ends all subscriptions, handles what has already arrived, then closes. */
  close(): Promise<void>
}

/** The api's side: it owns streams and records. */
export interface ApiQueue extends QueueConnection {
  /** Creates or updates the streams and consumers. */
  ensureStreams(settings: StreamSettings): Promise<StreamsInfo>
  /**
   * Resolves when the message is on disk. After `unavailable`, publish the same message again: its id makes that
   * harmless.
   */
  publishJob(size: JobSize, message: JobMessage): Promise<PublishedJob>
  /** False if it was already gone. */
  deleteJobMessage(seq: number): Promise<boolean>
  jobMessageExists(seq: number): Promise<boolean>
  streamState(): Promise<StreamState>
  shardCounts(): Promise<ShardCounts>
  /** If the handler rejects, no answer is sent and the worker's claim times out. */
  serveClaims(handler: (request: ClaimRequest) => Promise<ClaimReply>): Unsubscribe
  onNews(handler: (news: NewsMessage) => void): Unsubscribe
  onWorkers(handler: (worker: WorkerMessage) => void): Unsubscribe
  /** `over`: another run has ended the job, or `run` must not go on. `deleted`: nothing made for the job may go on. */
  publishCancel(jobId: string, why: 'deleted' | 'over', run?: string): void
  /**
   * Passes on end events that workers report or that are in EVENTS, and runs that were given back while no api
   * answered, each in the order of its arrival and as many as have arrived. They are acknowledged when the handler
   * resolves; if it rejects, they come again. Those that it returns come again a few times, within about eight seconds,
   * and then no more. One batch at a time.
   */
  consumeEvents(handler: (events: EventMessage[], givenBack: GivenBack[]) => Promise<EventMessage[]>): Unsubscribe
  eventsLastSequence(): Promise<number>
  /** Resolves when every event up to `seq` has been handled, or the signal aborts. Needs `consumeEvents`. */
  drainEventsTo(seq: number, signal?: AbortSignal): Promise<void>
  /** Asks any worker. Fails with `unavailable` if there is none, or if it does not answer in time. */
  quickCheck(request: QuickCheckRequest, timeoutMs: number): Promise<QuickCheckReply>
  /** Asks any worker, like `quickCheck`. */
  quickPreview(request: QuickPreviewRequest, timeoutMs: number): Promise<QuickPreviewReply>
  /** Asks any worker, like `quickCheck`. */
  quickProfile(request: QuickProfileRequest, timeoutMs: number): Promise<QuickProfileReply>
  /** Asks any worker, like `quickCheck`. */
  quickConvert(request: QuickConvertRequest, timeoutMs: number): Promise<QuickConvertReply>
  /** Asks any worker, like `quickCheck`. */
  quickConnector(request: QuickConnectorRequest, timeoutMs: number): Promise<QuickConnectorReply>
  /** Asks any worker, like `quickCheck`. */
  quickDeliver(request: QuickDeliverRequest, timeoutMs: number): Promise<QuickDeliverReply>
}

/** The worker's side. */
export interface WorkerQueue extends QueueConnection {
  /** Waits up to `expiresMs` (at least 1000) for one message; undefined if none came. */
  nextJob(size: JobSize, expiresMs: number): Promise<JobHandle | undefined>
  /** Like `nextJob`. */
  nextShard(expiresMs: number): Promise<ShardHandle | undefined>
  /** Resolves with the sequence number when the queue has the message, in memory. */
  publishShard(message: ShardMessage): Promise<number>
  /** Removes a shard. False if it was already gone. */
  withdrawShard(seq: number): Promise<boolean>
  /** Removes all shards of the job, also those that workers have taken. */
  purgeShards(jobId: string): Promise<void>
  publishShardNews(news: ShardNews): void
  /** Of one shard, or of all shards of the job if it is undefined. */
  onShardNews(jobId: string, shard: number | undefined, listener: (news: ShardNews) => void): Unsubscribe
  publishShardsOver(over: ShardsOver): void
  onShardsOver(jobId: string, listener: (over: ShardsOver) => void): Unsubscribe
  /** Undefined: no api answered in time. */
  claim(request: ClaimRequest, timeoutMs: number): Promise<ClaimReply | undefined>
  publishNews(news: NewsMessage): void
  /**
   * Resolves when the api has applied the event, or the event is in EVENTS, where it goes if no api applies it within
   * `timeoutMs`. After an error, retry with the same event.
   */
  reportEnd(event: EventMessage, timeoutMs: number): Promise<void>
  /** Resolves when the event is on disk in EVENTS; after an error, retry with the same event. */
  publishEvent(event: EventMessage): Promise<void>
  /** Like `publishEvent`, for a run that ends without a decision. */
  publishGivenBack(run: GivenBack): Promise<void>
  serveQuick(handler: (request: QuickCheckRequest) => Promise<QuickCheckReply>): Unsubscribe
  serveQuickPreview(handler: (request: QuickPreviewRequest) => Promise<QuickPreviewReply>): Unsubscribe
  serveQuickProfile(handler: (request: QuickProfileRequest) => Promise<QuickProfileReply>): Unsubscribe
  serveQuickConvert(handler: (request: QuickConvertRequest) => Promise<QuickConvertReply>): Unsubscribe
  serveQuickConnector(handler: (request: QuickConnectorRequest) => Promise<QuickConnectorReply>): Unsubscribe
  serveQuickDeliver(handler: (request: QuickDeliverRequest) => Promise<QuickDeliverReply>): Unsubscribe
  announce(worker: WorkerMessage): void
  /** Called when a new api asks which workers there are. */
  onRollCall(listener: () => void): Unsubscribe
  /** `run`: the only run to stop; undefined: all of them. */
  onCancel(jobId: string, listener: (isDeleted: boolean, run: string | undefined) => void): Unsubscribe
}

export type Queue = ApiQueue & WorkerQueue
