import type { Msg } from 'nats'
import { messageVersion } from '../../domain/message-version.ts'
import { decodeMessage, encodeMessage } from './codec.ts'
import type { CancelMessage, ClaimReply, ClaimRequest, NewsMessage } from './job-messages.ts'
import type { Link } from './link.ts'
import { toQueueError } from './nats-failure.ts'
import { QueueError } from './queue-error.ts'
import type { Unsubscribe } from './queue.ts'
import type { QuickCheckReply, QuickCheckRequest, QuickConnectorReply, QuickConnectorRequest, QuickConvertReply,
  QuickConvertRequest, QuickDeliverReply, QuickDeliverRequest, QuickPreviewReply, QuickPreviewRequest,
  QuickProfileReply, QuickProfileRequest } from './quick-messages.ts'
import type { ShardNews, ShardsOver } from './shard-messages.ts'
import type { WorkerMessage } from './worker-message.ts'
import { defined } from '../defined.ts'

/* Core messages, which are not stored on disk: any of them may be lost, so none is the only carrier of a fact. */

export async function claim (link: Link, request: ClaimRequest, timeoutMs: number): Promise<ClaimReply | undefined> {
  let answer: Msg
  try {
    answer = await link.use().request(`claim.${request.jobId}`, encodeMessage(request), { timeout: timeoutMs })
  } catch (err) {
    link.log.debug({ err, jobId: request.jobId }, 'claim not answered')
    return undefined
  }
  return decodeMessage<ClaimReply>(answer.data, 'claim reply', ['go'])
}

export function serveClaims (link: Link, handler: (request: ClaimRequest) => Promise<ClaimReply>): Unsubscribe {
  return serve(link, 'claim.*', 'api',
    (bytes) => handler(decodeMessage<ClaimRequest>(bytes, 'claim', ['jobId', 'tenant', 'dispatch', 'run', 'workerId'])))
}

export async function quickCheck (link: Link, request: QuickCheckRequest, timeoutMs: number): Promise<QuickCheckReply> {
  try {
    const answer = await link.use().request('quick.check', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickCheckReply>(answer.data, 'content check reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'content check')
  }
}

export function serveQuick (link: Link,
  handler: (request: QuickCheckRequest) => Promise<QuickCheckReply>): Unsubscribe {
  return serve(link, 'quick.check', 'quick',
    (bytes) => handler(decodeMessage<QuickCheckRequest>(bytes, 'content check', ['input', 'spec', 'limits'])))
}

export async function quickPreview (link: Link, request: QuickPreviewRequest,
  timeoutMs: number): Promise<QuickPreviewReply> {
  try {
    const answer = await link.use().request('quick.preview', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickPreviewReply>(answer.data, 'preview reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'preview')
  }
}

export function serveQuickPreview (link: Link,
  handler: (request: QuickPreviewRequest) => Promise<QuickPreviewReply>): Unsubscribe {
  return serve(link, 'quick.preview', 'quick',
    (bytes) => handler(decodeMessage<QuickPreviewRequest>(bytes, 'preview', ['input', 'maxBytes', 'maxRows'])))
}

export async function quickProfile (link: Link, request: QuickProfileRequest,
  timeoutMs: number): Promise<QuickProfileReply> {
  try {
    const answer = await link.use().request('quick.profile', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickProfileReply>(answer.data, 'profile reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'profile')
  }
}

export function serveQuickProfile (link: Link,
  handler: (request: QuickProfileRequest) => Promise<QuickProfileReply>): Unsubscribe {
  return serve(link, 'quick.profile', 'quick',
    (bytes) => handler(decodeMessage<QuickProfileRequest>(bytes, 'profile', ['input', 'limits'])))
}

export async function quickConvert (link: Link, request: QuickConvertRequest,
  timeoutMs: number): Promise<QuickConvertReply> {
  try {
    const answer = await link.use().request('quick.convert', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickConvertReply>(answer.data, 'conversion reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'conversion')
  }
}

export function serveQuickConvert (link: Link,
  handler: (request: QuickConvertRequest) => Promise<QuickConvertReply>): Unsubscribe {
  return serve(link, 'quick.convert', 'quick',
    (bytes) => handler(decodeMessage<QuickConvertRequest>(bytes, 'conversion', ['parquetKey', 'csvKey', 'budgetMs'])))
}

export async function quickConnector (link: Link, request: QuickConnectorRequest,
  timeoutMs: number): Promise<QuickConnectorReply> {
  try {
    const answer = await link.use().request('quick.connector', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickConnectorReply>(answer.data, 'connector reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'connector')
  }
}

export function serveQuickConnector (link: Link,
  handler: (request: QuickConnectorRequest) => Promise<QuickConnectorReply>): Unsubscribe {
  return serve(link, 'quick.connector', 'quick', (bytes) =>
    handler(
      decodeMessage<QuickConnectorRequest>(bytes, 'connector request', ['operation', 'connection', 'budgetMs'])
    ))
}

export async function quickDeliver (link: Link, request: QuickDeliverRequest,
  timeoutMs: number): Promise<QuickDeliverReply> {
  try {
    const answer = await link.use().request('quick.deliver', encodeMessage(request), { timeout: timeoutMs })
    return decodeMessage<QuickDeliverReply>(answer.data, 'delivery reply', ['ok'])
  } catch (error) {
    throw toQueueError(error, 'delivery')
  }
}

export function serveQuickDeliver (link: Link,
  handler: (request: QuickDeliverRequest) => Promise<QuickDeliverReply>): Unsubscribe {
  return serve(link, 'quick.deliver', 'quick', (bytes) =>
    handler(
      decodeMessage<QuickDeliverRequest>(bytes, 'delivery', ['jobId', 'connection', 'source', 'key', 'budgetMs'])
    ))
}

export function publishNews (link: Link, news: NewsMessage): void {
  link.publish(`news.${news.jobId}`, encodeMessage(news))
}

export function onNews (link: Link, handler: (news: NewsMessage) => void): Unsubscribe {
  return link.subscribe('news.*', undefined,
    ({ data }) => handler(decodeMessage<NewsMessage>(data, 'news', ['jobId', 'tenant', 'run', 'stage', 'fraction'])))
}

export function announce (link: Link, worker: WorkerMessage): void {
  link.publish(`workers.${worker.workerId}`, encodeMessage(worker))
}

/**
 * Asks all workers on each new connection to announce themselves. Otherwise a new api would know no workers until their
 * next announcements.
 */
export function onWorkers (link: Link, handler: (worker: WorkerMessage) => void): Unsubscribe {
  const stopListening = link.subscribe('workers.*', undefined, ({ data }) =>
    handler(
      decodeMessage<WorkerMessage>(data, 'worker announcement', ['workerId', 'freeAny', 'freeSmall', 'running',
        'draining'])
    ))
  const stopAsking = link.onConnection((connected) => {
    if (connected) link.publish('roll-call', encodeMessage({ v: messageVersion }))
  })
  return () => {
    stopAsking()
    stopListening()
  }
}

export function onRollCall (link: Link, listener: () => void): Unsubscribe {
  return link.subscribe('roll-call', undefined, () => listener())
}

export function publishCancel (link: Link, jobId: string, why: 'deleted' | 'over', run?: string): void {
  const message: CancelMessage = { v: messageVersion, jobId, deleted: why === 'deleted', ...defined({ run }) }
  link.publish(`cancel.${jobId}`, encodeMessage(message))
}

export function publishShardNews (link: Link, news: ShardNews): void {
  link.publish(`shard-news.${news.jobId}.${news.shard}`, encodeMessage(news))
}

export function onShardNews (link: Link, jobId: string, shard: number | undefined,
  listener: (news: ShardNews) => void): Unsubscribe {
  return link.subscribe(`shard-news.${jobId}.${shard ?? '*'}`, undefined,
    ({ data }) =>
      listener(decodeMessage<ShardNews>(data, 'news of a shard', ['jobId', 'plan', 'shard', 'maker', 'state'])))
}

export function publishShardsOver (link: Link, over: ShardsOver): void {
  link.publish(`shards-over.${over.jobId}`, encodeMessage(over))
}

export function onShardsOver (link: Link, jobId: string, listener: (over: ShardsOver) => void): Unsubscribe {
  return link.subscribe(`shards-over.${jobId}`, undefined,
    ({ data }) => listener(decodeMessage<ShardsOver>(data, 'end of shards', ['jobId', 'plan'])))
}

/** Handles requests side by side. A request that fails gets no answer: the asker times out, and the log says why. */
function serve (link: Link, subject: string, queue: string,
  answer: (bytes: Uint8Array) => Promise<{ v: number }>): Unsubscribe {
  const respond = async (message: Msg): Promise<void> => {
    try {
      message.respond(encodeMessage(await answer(message.data)))
    } catch (err) {
      const refused = err instanceof QueueError && err.code === 'protocol'
      link.log.error({ err, subject: message.subject }, refused ? 'queue request refused' : 'queue request failed')
    }
  }
  return link.subscribe(subject, queue, respond)
}
