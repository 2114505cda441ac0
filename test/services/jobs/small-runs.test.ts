import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { SmallRuns } from '../../../src/services/jobs/small-runs.ts'
import { until } from '../../support/until.ts'

const job = (tenant: string, jobId: string, size: JobRecord['size'] = 'small'): JobRecord =>
  ({ tenant, jobId, size, run: `run-of-${jobId}` }) as JobRecord

t.test('a tenant whose small job takes long counts as slow, also for a while after it', async (t) => {
  const runs = new SmallRuns(60_000, () => undefined, 50)
  t.teardown(() => runs.stop())
  runs.began(job('slow', 'a'))
  runs.began(job('table', 'b', 'large'))
  runs.began(job('quick', 'c'))
  runs.ended('c')
  t.notOk(runs.isSlow('slow'), 'at first nobody does')
  await until('it has taken long', () => runs.isSlow('slow'))
  t.notOk(runs.isSlow('quick'), 'others do not')
  t.notOk(runs.isSlow('table'), 'large jobs may take long')
  runs.ended('a')
  t.ok(runs.isSlow('slow'), 'when it has ended')
  runs.began(job('slow', 'd'))
  runs.ended('d')
  t.ok(runs.isSlow('slow'), 'and beside quick ones')
})

t.test('a slow tenant is forgotten after a multiple of the time that its job took', async (t) => {
  const runs = new SmallRuns(60_000, () => undefined, 5)
  t.teardown(() => runs.stop())
  runs.began(job('slow', 'a'))
  await sleep(10)
  runs.ended('a')
  t.ok(runs.isSlow('slow'))
  await until('it is over', () => !runs.isSlow('slow'))
})
