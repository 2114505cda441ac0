import { encodeMessage } from './codec.ts'
import { isGone } from './job-dispatch.ts'
import type { Link } from './link.ts'
import { toQueueError } from './nats-failure.ts'
import type { ShardMessage } from './shard-messages.ts'
import { shardsStream } from './streams.ts'

const publishTimeoutMs = 5_000

/** Returns the sequence number of the message. */
export async function publishShard (link: Link, message: ShardMessage): Promise<number> {
  const { jobId, run, shard, attempt } = message
  try {
    const { seq } = await link.use().jetstream().publish(`shards.${jobId}`, encodeMessage(message), {
      msgID: `${jobId}:${run}:${shard}:${attempt}`,
      timeout: publishTimeoutMs
    })
    return seq
  } catch (error) {
    throw toQueueError(error, 'shard publish')
  }
}

/** False if it was already gone. */
export async function withdrawShard (link: Link, seq: number): Promise<boolean> {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    return await manager.streams.deleteMessage(shardsStream, seq, false)
  } catch (error) {
    if (isGone(error)) return false
    throw toQueueError(error, 'shard withdrawal')
  }
}

/** Removes all shards of the job, also those that workers have taken. */
export async function purgeShards (link: Link, jobId: string): Promise<void> {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    await manager.streams.purge(shardsStream, { filter: `shards.${jobId}` })
  } catch (error) {
    throw toQueueError(error, 'shard purge')
  }
}
