import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { JobWatchers } from '../../../src/services/jobs/job-watchers.ts'
import { LongPolls } from '../../../src/services/jobs/long-polls.ts'

const fail = (error: unknown): never => {
  throw error
}

/** A job that nobody but the test changes. */
function pollOf (size: 'small' | 'large') {
  const job = { jobId: 'job_1', size, status: 'pending' } as JobRecord
  const watchers = new JobWatchers(fail)
  const polls = new LongPolls({ maxPerTenant: 10, find: () => ({ ...job }), watchers }, fail)
  const become = async (status: JobRecord['status']): Promise<void> => {
    job.status = status
    watchers.notify(job.jobId)
    await sleep(1)
  }
  return { told: polls.wait('acme', job.jobId, 30, new AbortController().signal), become }
}

t.test('a small job that begins and soon ends has one answer', async (t) => {
  const { told, become } = pollOf('small')
  await become('running')
  await become('completed')
  t.match(await told, { status: 'completed' })
})

t.test('a small job that goes on is told to have begun', async (t) => {
  const { told, become } = pollOf('small')
  const startMs = performance.now()
  await become('running')
  t.match(await told, { status: 'running' })
  t.ok(performance.now() - startMs >= 90)
})

t.test('the beginning of a large job is told at once', async (t) => {
  const { told, become } = pollOf('large')
  await become('running')
  t.match(await Promise.race([told, sleep(90)]), { status: 'running' })
})
