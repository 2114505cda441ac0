import type { ApiQueue } from '../../platform/queue/index.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { JobLedger } from './job-ledger.ts'
import { isQuarantined } from './transitions.ts'
import type { WorkerPresence } from './worker-presence.ts'

export interface QueueComparison {
  open: number
  /** In the backlog of the record. */
  waiting: number
  /** Published, and the stream has the message. */
  published: number
  /** A run of them gives signs of life. */
  running: number
  /** None of the three: the reconciler sends them again after a lease. */
  withoutMessage: string[]
  /** Messages of the stream beyond those of open jobs; workers are told to drop them. */
  withoutRecord: number
  /** Ids of the open jobs that run apart from others. */
  quarantined: string[]
}

/** Asks the queue for the message of every job that should have one. */
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
