import { Type } from 'typebox'
import type { Batch } from '../../services/batches/batch-service.ts'
import { jobStatuses } from '../../services/jobs/job-record.ts'
import { identifier } from './identifier.ts'

const count = Type.Integer()

export const batchSchema = Type.Object({
  batch_id: Type.String(),
  status: Type.Enum(jobStatuses, {
    description:
      'pending: no job has started. completed: all jobs have ended, at least one with a result. failed: all jobs ' +
      'have failed.'
  }),
  created_at: Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' }),
  total: Type.Integer({ description: 'Jobs that have not been deleted and have not expired.' }),
  counts: Type.Object({ pending: count, running: count, completed: count, failed: count }),
  jobs: Type.Array(Type.Ref('Job'), { description: 'In the order of the requests.' })
}, { $id: 'Batch' })

export const batchParams = Type.Object({ batch_id: identifier() })

/** As JSON text, in pieces; the jobs are already text. */
export function* renderBatch ({ record, status, counts, jobs }: Batch<string>): Generator<string> {
  const head = JSON.stringify({
    batch_id: record.batchId,
    status,
    created_at: new Date(record.createdAtMs).toISOString(),
    total: jobs.length,
    counts
  })
  yield `${head.slice(0, -1)},"jobs":[`
  for (const [index, text] of jobs.entries()) yield index === 0 ? text : `,${text}`
  yield ']}'
}
