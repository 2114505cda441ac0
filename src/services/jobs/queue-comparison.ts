import type { ApiQueue } from '../../platform/queue/index.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { JobLedger } from './job-ledger.ts'
import { isQuarantined } from './transitions.ts'
import type { WorkerPresence } from './worker-presence.ts'

export interface QueueComparison {
  open: number
  /** In the outbox. */
  waiting: number
  /** Published, and the stream has the message. */
  published: number
  /** Their run gives signs of life. */
  running: number
  /** None of the three: after a lease the reconciler publishes them again. */
  withoutMessage: string[]
  /** Messages in the stream without an open job; workers are told to drop them. */
  withoutRecord: number
  /** Open jobs in quarantine. */
  quarantined: string[]
}

/** Looks for the message of every job that should have one. */
export async function compareWithQueue (
  { ledger, queue, presence, leaseMs }: { ledger: JobLedger, queue: ApiQueue, presence: WorkerPresence,
    leaseMs: number }
): Promise<QueueComparison> {
  const result: QueueComparison = {
    open: 0,
    waiting: 0,
    published: 0,
    running: 0,
    withoutMessage: [],
    withoutRecord: 0,
    quarantined: []
  }
  const { jobMessages } = await queue.streamState()
  let messages = 0
  for await (const record of inPortions(ledger.open())) {
    result.open++
    if (isQuarantined(record)) result.quarantined.push(record.jobId)
    const { jobId, run, streamSequence } = record
    const hasMessage = streamSequence !== null && await queue.jobMessageExists(streamSequence)
    if (hasMessage) messages++
    if (run !== null && presence.isRunAlive(run, 2 * leaseMs)) result.running++
    else if (ledger.isInOutbox(jobId)) result.waiting++
    else if (hasMessage) result.published++
    else result.withoutMessage.push(jobId)
  }
  result.withoutRecord = Math.max(0, jobMessages - messages)
  return result
}
