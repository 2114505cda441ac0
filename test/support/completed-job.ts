import type { Test } from 'tap'
import type { Client, Job } from './service.ts'

/** The job of a 202, once it has completed. */
export async function completedJob (t: Test, client: Client, answer: Response): Promise<Job> {
  const job = await answer.json() as Job
  t.equal(answer.status, 202, JSON.stringify(job))
  const ended = await client.ended(job.job_id)
  t.equal(ended.status, 'completed', `${ended.error_code}: ${ended.error}`)
  return ended
}
