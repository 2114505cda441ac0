import type { JobSize } from '../../domain/job.ts'
import type { ClaimReply, ClaimRequest, EventMessage, GivenBack, JobMessage, NewsMessage } from './job-messages.ts'
import type { QuickCheckReply, QuickCheckRequest, QuickConnectorReply, QuickConnectorRequest, QuickConvertReply,
  QuickConvertRequest, QuickDeliverReply, QuickDeliverRequest, QuickPreviewReply, QuickPreviewRequest,
  QuickProfileReply, QuickProfileRequest } from './quick-messages.ts'
import type { WorkerMessage } from './worker-message.ts'

/** Ends a subscription or a listener; calling it twice is harmless. */
export type Unsubscribe = () => void

export interface StreamSettings {
  /** Jobs that JOBS holds at most; beyond, `publishJob` fails with `full`. */
  maxJobs: number
  /** Bytes that EVENTS holds at most. */
  maxEventBytes: number
  /** Time without `working()` after which a job message is given to another worker, milliseconds. */
  leaseMs: number
}

export interface StreamsInfo {
  /**
   * When JOBS was created, as the server writes it; another value means that the stream was rebuilt and lost its
   * messages.
   */
  jobsCreated: string
}

/** What the server says of the streams now. */
export interface StreamState {
  serverVersion: string
  /** Its clock; null: it does not say. */
  serverTimeMs: number | null
  jobMessages: number
  eventMessages: number
  /** `stream/consumer` of those that should be there. */
  missingConsumers: string[]
}

export interface PublishedJob {
  /** Sequence in JOBS, for `deleteJobMessage` and `jobMessageExists`. */
  seq: number
  /** The stream had this message id already (within two minutes): nothing new was stored. */
  duplicate: boolean
}

/** One delivery of a job message. It belongs to this worker until `leaseMs` after the last `working()`. */
export interface JobHandle {
  readonly message: JobMessage
  readonly seq: number
  /** Some worker got this message before: it may have left a result. */
  readonly redelivered: boolean
  readonly leaseMs: number
  /** Extends the lease. */
  working(): void
  /** Removes the message from the queue. A lost acknowledgement is harmless: the next claim says drop. */
  ack(): void
  /** Gives the message back, at once or after a delay. */
  nak(delayMs?: number): void
}

/** What every process does with the queue. */
export interface QueueConnection {
  readonly connected: boolean
  /**
   * Resolves when the first connection is there; rejects with `unavailable` after `timeoutMs`. Without a limit it waits
   * for ever.
   */
  ready(timeoutMs?: number): Promise<void>
  /**
   * Called at each change, and once at once when already connected. Streams may have vanished meanwhile: call
   * `ensureStreams`.
   */
  onConnection(listener: (connected: boolean) => void): Unsubscribe
  /** Ends all subscriptions, hands over what has arrived already, then closes. */
  close(): Promise<void>
}

/** The api's side: it owns streams and records. */
export interface ApiQueue extends QueueConnection {
  /** Creates or updates the streams and consumers. */
  ensureStreams(settings: StreamSettings): Promise<StreamsInfo>
  /**
   * Stored and on disk when it resolves. After `unavailable` publish the same message again: its id makes that
   * harmless.
   */
  publishJob(size: JobSize, message: JobMessage): Promise<PublishedJob>
  /** False when it was gone already. */
  deleteJobMessage(seq: number): Promise<boolean>
  jobMessageExists(seq: number): Promise<boolean>
  streamState(): Promise<StreamState>
  /** A handler that rejects sends no answer: the worker's claim times out. */
  serveClaims(handler: (request: ClaimRequest) => Promise<ClaimReply>): Unsubscribe
  onNews(handler: (news: NewsMessage) => void): Unsubscribe
  onWorkers(handler: (worker: WorkerMessage) => void): Unsubscribe
  /** `over`: another run has ended the job, or `run` is not to go on. `deleted`: nothing of it may go on. */
  publishCancel(jobId: string, why: 'deleted' | 'over', run?: string): void
  /**
   * Hands over terminal events, and runs that were given back while no api answered, each in the order of the stream,
   * as many as have arrived. They are acknowledged when the handler resolves; when it rejects, they come again. One
   * batch at a time.
   */
  consumeEvents(handler: (events: EventMessage[], givenBack: GivenBack[]) => Promise<void>): Unsubscribe
  eventsLastSequence(): Promise<number>
  /** Resolves when every event up to `seq` has been handled. Needs `consumeEvents`. */
  drainEventsTo(seq: number): Promise<void>
  /** Asks any worker; `unavailable` when there is none or it does not answer in time. */
  quickCheck(request: QuickCheckRequest, timeoutMs: number): Promise<QuickCheckReply>
  /** Asks any worker, as `quickCheck` does. */
  quickPreview(request: QuickPreviewRequest, timeoutMs: number): Promise<QuickPreviewReply>
  /** Asks any worker, as `quickCheck` does. */
  quickProfile(request: QuickProfileRequest, timeoutMs: number): Promise<QuickProfileReply>
  /** Asks any worker, as `quickCheck` does. */
  quickConvert(request: QuickConvertRequest, timeoutMs: number): Promise<QuickConvertReply>
  /** Asks any worker, as `quickCheck` does. */
  quickConnector(request: QuickConnectorRequest, timeoutMs: number): Promise<QuickConnectorReply>
  /** Asks any worker, as `quickCheck` does. */
  quickDeliver(request: QuickDeliverRequest, timeoutMs: number): Promise<QuickDeliverReply>
}

/** The worker's side. */
export interface WorkerQueue extends QueueConnection {
  /** Waits up to `expiresMs` (at least 1000) for one message; undefined when none came. */
  nextJob(size: JobSize, expiresMs: number): Promise<JobHandle | undefined>
  /** Undefined: no api answered in time. */
  claim(request: ClaimRequest, timeoutMs: number): Promise<ClaimReply | undefined>
  publishNews(news: NewsMessage): void
  /** Stored and on disk when it resolves; retry with the same event after an error. */
  publishEvent(event: EventMessage): Promise<void>
  /** As `publishEvent`, for a run that ends without a decision. */
  publishGivenBack(run: GivenBack): Promise<void>
  serveQuick(handler: (request: QuickCheckRequest) => Promise<QuickCheckReply>): Unsubscribe
  serveQuickPreview(handler: (request: QuickPreviewRequest) => Promise<QuickPreviewReply>): Unsubscribe
  serveQuickProfile(handler: (request: QuickProfileRequest) => Promise<QuickProfileReply>): Unsubscribe
  serveQuickConvert(handler: (request: QuickConvertRequest) => Promise<QuickConvertReply>): Unsubscribe
  serveQuickConnector(handler: (request: QuickConnectorRequest) => Promise<QuickConnectorReply>): Unsubscribe
  serveQuickDeliver(handler: (request: QuickDeliverRequest) => Promise<QuickDeliverReply>): Unsubscribe
  announce(worker: WorkerMessage): void
  /** An api has come, and wants to know who is there. */
  onRollCall(listener: () => void): Unsubscribe
  /** `run`: the only one that is meant; undefined: all of them are. */
  onCancel(jobId: string, listener: (isDeleted: boolean, run: string | undefined) => void): Unsubscribe
}

export type Queue = ApiQueue & WorkerQueue
