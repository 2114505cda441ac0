import { Cancels } from './cancels.ts'
import * as core from './core-messages.ts'
import * as events from './events.ts'
import * as dispatch from './job-dispatch.ts'
import { Intake } from './intake.ts'
import type { JobMessage } from './job-messages.ts'
import { Link, type LinkOptions } from './link.ts'
import type { Queue } from './queue.ts'
import * as shardDispatch from './shard-dispatch.ts'
import type { ShardMessage } from './shard-messages.ts'
import { shardCounts, streamState } from './stream-state.ts'
import { ensureStreams, jobsStream, shardsConsumer, shardsStream } from './streams.ts'

export type QueueOptions = LinkOptions

/**
 * Connects in the background and never gives up. Returns at once. Calls that are made while there is no connection fail
 * with `unavailable`; subscriptions may be made before the first connection.
 */
export function connectQueue (options: QueueOptions): Queue {
  const link = new Link(options)
  const [jobs, shards] = [jobIntake(link), shardIntake(link)]
  const cancels = new Cancels(link)
  return {
    get connected () {
      return link.connected
    },
    ready: (timeoutMs) => link.ready(timeoutMs),
    onConnection: (listener) => link.onConnection(listener),
    close: () => link.close(),

    ensureStreams: (settings) => ensureStreams(link, settings),
    publishJob: (size, message) => dispatch.publishJob(link, size, message),
    deleteJobMessage: (seq) => dispatch.deleteJobMessage(link, seq),
    jobMessageExists: (seq) => dispatch.jobMessageExists(link, seq),
    streamState: () => streamState(link),
    shardCounts: () => shardCounts(link),
    serveClaims: (handler) => core.serveClaims(link, handler),
    onNews: (handler) => core.onNews(link, handler),
    onWorkers: (handler) => core.onWorkers(link, handler),
    publishCancel: (jobId, why, run) => core.publishCancel(link, jobId, why, run),
    consumeEvents: (handler) => events.consumeEvents(link, handler),
    eventsLastSequence: () => events.eventsLastSequence(link),
    drainEventsTo: (seq, signal) => events.drainEventsTo(link, seq, signal),
    quickCheck: (request, timeoutMs) => core.quickCheck(link, request, timeoutMs),
    quickPreview: (request, timeoutMs) => core.quickPreview(link, request, timeoutMs),
    quickProfile: (request, timeoutMs) => core.quickProfile(link, request, timeoutMs),
    quickConvert: (request, timeoutMs) => core.quickConvert(link, request, timeoutMs),
    quickConnector: (request, timeoutMs) => core.quickConnector(link, request, timeoutMs),
    quickDeliver: (request, timeoutMs) => core.quickDeliver(link, request, timeoutMs),

    nextJob: (size, expiresMs) => jobs.next(size, expiresMs),
    nextShard: (expiresMs) => shards.next(shardsConsumer, expiresMs),
    publishShard: (message) => shardDispatch.publishShard(link, message),
    withdrawShard: (seq) => shardDispatch.withdrawShard(link, seq),
    purgeShards: (jobId) => shardDispatch.purgeShards(link, jobId),
    publishShardNews: (news) => core.publishShardNews(link, news),
    onShardNews: (jobId, shard, listener) => core.onShardNews(link, jobId, shard, listener),
    publishShardsOver: (over) => core.publishShardsOver(link, over),
    onShardsOver: (jobId, listener) => core.onShardsOver(link, jobId, listener),
    claim: (request, timeoutMs) => core.claim(link, request, timeoutMs),
    publishNews: (news) => core.publishNews(link, news),
    reportEnd: (event, timeoutMs) => events.reportEnd(link, event, timeoutMs),
    publishEvent: (event) => events.publishEvent(link, event),
    publishGivenBack: (run) => events.publishGivenBack(link, run),
    serveQuick: (handler) => core.serveQuick(link, handler),
    serveQuickPreview: (handler) => core.serveQuickPreview(link, handler),
    serveQuickProfile: (handler) => core.serveQuickProfile(link, handler),
    serveQuickConvert: (handler) => core.serveQuickConvert(link, handler),
    serveQuickConnector: (handler) => core.serveQuickConnector(link, handler),
    serveQuickDeliver: (handler) => core.serveQuickDeliver(link, handler),
    announce: (worker) => core.announce(link, worker),
    onRollCall: (listener) => core.onRollCall(link, listener),
    onCancel: (jobId, listener) => cancels.on(jobId, listener)
  }
}

function jobIntake (link: Link): Intake<JobMessage> {
  return new Intake(link, {
    stream: jobsStream,
    what: 'job message',
    requiredFields: ['jobId', 'tenant', 'dispatch', 'jobType', 'input', 'outputPrefix', 'spec', 'limits', 'budgetMs']
  })
}

function shardIntake (link: Link): Intake<ShardMessage> {
  return new Intake(link, {
    stream: shardsStream,
    what: 'shard message',
    requiredFields: ['jobId', 'tenant', 'run', 'plan', 'shard', 'release', 'maxCsvBytes', 'deadlineMs', 'budgetMs']
  })
}
