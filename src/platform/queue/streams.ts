import { AckPolicy, DiscardPolicy, nanos, RetentionPolicy, StorageType, type ConsumerConfig, type JetStreamManager,
  type StreamConfig, type StreamInfo } from 'nats'
import type { JobSize } from '../../domain/job.ts'
import type { Link } from './link.ts'
import { apiErrorCode, apiErrors, toQueueError } from './nats-failure.ts'
import type { StreamSettings, StreamsInfo } from './queue.ts'

export const jobsStream = 'JOBS'
export const eventsStream = 'EVENTS'
export const eventsConsumer = 'api'
export const shardsStream = 'SHARDS'
export const shardsConsumer = 'workers'
export const jobSizes: readonly JobSize[] = ['small', 'large']

/**
 * Messages beyond this number stay in the stream until earlier ones are acknowledged. It is far above what workers hold
 * at once.
 */
const maxUnacknowledged = 100_000
/** Every worker has a pull of each consumer open. The server would refuse more than 512. */
const maxPulls = 10_000
/**
 * Long enough for the api to write a batch to disk, short enough that the events of a killed api come back soon. A
 * shorter lease for jobs applies to events too.
 */
const longestEventLeaseMs = 10_000
const duplicateWindowMs = 120_000
/** Each large forecast has a few shards in the stream at a time, some 600 bytes each. */
const maxShards = 50_000

export async function ensureStreams (link: Link, settings: StreamSettings): Promise<StreamsInfo> {
  const { replicas, maxJobs } = settings
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    const jobs = await ensureStream(manager, { ...workQueue(jobsStream, 'jobs.*', replicas), max_msgs: maxJobs })
    for (const size of jobSizes) {
      await ensureConsumer(manager, jobsStream, consumer(size, `jobs.${size}`, settings.leaseMs))
    }
    await ensureStream(manager, {
      ...workQueue(eventsStream, 'events.*', replicas),
      max_bytes: settings.maxEventBytes
    })
    await ensureConsumer(manager, eventsStream,
      consumer(eventsConsumer, 'events.*', Math.min(longestEventLeaseMs, settings.leaseMs)))
    // A run publishes its shards again when it has lost the server, so no disk has to have them.
    await ensureStream(manager, {
      ...workQueue(shardsStream, 'shards.*', replicas),
      storage: StorageType.Memory,
      max_msgs: maxShards
    })
    await ensureConsumer(manager, shardsStream, consumer(shardsConsumer, 'shards.*', settings.leaseMs))
    return { jobsCreated: String(jobs.created) }
  } catch (error) {
    throw toQueueError(error, replicas === 1 ? 'streams' : `streams with TABCAST_NATS_REPLICAS=${replicas}`)
  }
}

/** A full stream refuses new messages instead of dropping old ones, because the caller must know. */
function workQueue (name: string, subject: string, replicas: number): Partial<StreamConfig> & { name: string } {
  return {
    name,
    subjects: [subject],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(duplicateWindowMs)
  }
}

/** Deliveries are not limited here: the api counts attempts in its record, which survives a rebuilt stream. */
function consumer (name: string, subject: string, leaseMs: number): Partial<ConsumerConfig> & { durable_name: string } {
  return {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(leaseMs),
    max_deliver: -1,
    max_ack_pending: maxUnacknowledged
  }
}

async function ensureStream (manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string }): Promise<StreamInfo> {
  try {
    return await manager.streams.add(config)
  } catch (error) {
    if (apiErrorCode(error) !== apiErrors.streamNameInUse) throw error
    // Where a stream is kept stays as it is.
    const { storage: _storage, ...changes } = config
    return await manager.streams.update(config.name, changes)
  }
}

async function ensureConsumer (manager: JetStreamManager, stream: string,
  config: Partial<ConsumerConfig> & { durable_name: string }): Promise<void> {
  try {
    // A server cannot change this of a consumer that exists.
    await manager.consumers.add(stream, { ...config, max_waiting: maxPulls })
  } catch (error) {
    if (apiErrorCode(error) !== apiErrors.consumerExists) throw error
    await manager.consumers.update(stream, config.durable_name, config)
  }
}
