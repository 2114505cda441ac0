import type { Answer, SaveAnswer } from '../services/idempotency/idempotency.ts'
import type { Within } from '../services/jobs/job-ledger.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import { jsonAnswer } from './answer-once.ts'
import { renderJobText } from './render-job.ts'

/** The 202 of a new job, saved in the transaction that records it. */
export async function createdJob (submit: (within: Within) => Promise<JobRecord>, save: SaveAnswer): Promise<Answer> {
  const made: { answer?: Answer } = {}
  const record = await submit((tx, record) => {
    made.answer = created(record)
    save(tx, made.answer)
  })
  return made.answer ?? created(record)
}

/** The job as JSON text. Its position in the queue is not known yet. */
export function renderNewJob (record: JobRecord): string {
  return renderJobText(record, { stage: 'queue', fraction: 0, queuePosition: null })
}

function created (record: JobRecord): Answer {
  return jsonAnswer(202, renderNewJob(record), { location: `/jobs/${record.jobId}`, 'retry-after': '1' })
}
