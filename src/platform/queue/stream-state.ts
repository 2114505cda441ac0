import type { JetStreamManager } from 'nats'
import type { Link } from './link.ts'
import { apiErrorCode, apiErrors, toQueueError } from './nats-failure.ts'
import type { ShardCounts, StreamState } from './queue.ts'
import { eventsConsumer, eventsStream, jobsStream, jobSizes, shardsConsumer, shardsStream } from './streams.ts'

export async function streamState (link: Link): Promise<StreamState> {
  try {
    const connection = link.use()
    const manager = await connection.jetstreamManager({ checkAPI: false })
    const jobs = await manager.streams.info(jobsStream)
    const events = await manager.streams.info(eventsStream)
    const shards = await manager.streams.info(shardsStream)
    const wanted = [...jobSizes.map((size) => [jobsStream, size] as const), [eventsStream, eventsConsumer] as const,
      [shardsStream, shardsConsumer] as const]
    const missingConsumers: string[] = []
    for (const [stream, name] of wanted) {
      if (!await hasConsumer(manager, stream, name)) missingConsumers.push(`${stream}/${name}`)
    }
    // Since 2.10 the server says when it answered; the client library's type lacks the field.
    const { ts } = jobs as { ts?: string }
    return {
      serverVersion: connection.info?.version ?? 'unknown',
      serverTimeMs: ts === undefined ? null : Date.parse(ts),
      jobMessages: jobs.state.messages,
      eventMessages: events.state.messages,
      shardMessages: shards.state.messages,
      missingConsumers
    }
  } catch (error) {
    throw toQueueError(error, 'stream state')
  }
}

/** Who asks waits for the answer, so a server that is silent gets less time than elsewhere. */
const countTimeoutMs = 1_000

export async function shardCounts (link: Link): Promise<ShardCounts> {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false, timeout: countTimeoutMs })
    const { num_pending: waiting, num_ack_pending: taken } = await manager.consumers.info(shardsStream, shardsConsumer)
    return { waiting, taken }
  } catch (error) {
    throw toQueueError(error, 'shard counts')
  }
}

async function hasConsumer (manager: JetStreamManager, stream: string, name: string): Promise<boolean> {
  try {
    await manager.consumers.info(stream, name)
    return true
  } catch (error) {
    if (apiErrorCode(error) === apiErrors.consumerNotFound) return false
    throw error
  }
}
