import type { JobSize } from '../../domain/job.ts'
import { encodeMessage } from './codec.ts'
import type { JobMessage } from './job-messages.ts'
import type { Link } from './link.ts'
import { apiErrorCode, apiErrors, toQueueError } from './nats-failure.ts'
import type { PublishedJob } from './queue.ts'
import { jobsStream } from './streams.ts'

const publishTimeoutMs = 5_000

export async function publishJob (link: Link, size: JobSize, message: JobMessage): Promise<PublishedJob> {
  try {
    const stored = await link.use().jetstream().publish(`jobs.${size}`, encodeMessage(message), {
      msgID: `${message.jobId}:${message.dispatch}`,
      timeout: publishTimeoutMs
    })
    return { seq: stored.seq, duplicate: stored.duplicate }
  } catch (error) {
    throw toQueueError(error, 'job publish')
  }
}

export async function deleteJobMessage (link: Link, seq: number): Promise<boolean> {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    // Deletes without overwriting the bytes, which would cost a second disk write; a job message holds no data of a
    // customer.
    return await manager.streams.deleteMessage(jobsStream, seq, false)
  } catch (error) {
    if (isGone(error)) return false
    throw toQueueError(error, 'job message deletion')
  }
}

export async function jobMessageExists (link: Link, seq: number): Promise<boolean> {
  try {
    const manager = await link.use().jetstreamManager({ checkAPI: false })
    await manager.streams.getMessage(jobsStream, { seq })
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw toQueueError(error, 'job message lookup')
  }
}

/** A missing message gives 10043 when it is deleted (10057 from a store that lost it), and 10037 when it is read. */
export function isGone (error: unknown): boolean {
  const code = apiErrorCode(error)
  return code === apiErrors.noMessageFound || code === apiErrors.sequenceNotFound ||
    code === apiErrors.messageDeleteFailed
}
