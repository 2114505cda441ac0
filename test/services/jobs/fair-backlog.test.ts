import t from 'tap'
import { FairBacklog } from '../../../src/services/jobs/fair-backlog.ts'

/** A backlog whose jobs are called `TENANT NUMBER MILLISECONDS`. */
function backlogOf (jobs: readonly string[]): FairBacklog {
  const backlog = new FairBacklog(undefined, (jobId) => Number(jobId.split(' ')[2]))
  for (const job of jobs) add(backlog, job)
  return backlog
}

function add (backlog: FairBacklog, job: string): void {
  backlog.add(job.split(' ')[0] ?? '', job)
}

/** The next jobs, in their order. */
function next (backlog: FairBacklog, count: number): Array<string | undefined> {
  return Array.from({ length: count }, () => backlog.take()?.jobId)
}

t.test('jobs that take the same take turns, tenant by tenant', async (t) => {
  const backlog = backlogOf(['a 1 5', 'a 2 5', 'a 3 5', 'b 1 5', 'b 2 5', 'c 1 5'])
  t.strictSame(next(backlog, 7), ['a 1 5', 'b 1 5', 'c 1 5', 'a 2 5', 'b 2 5', 'a 3 5', undefined])
})

t.test('a short job waits for none of the long ones of many tenants, up to the share of its tenant', async (t) => {
  const backlog = backlogOf(Array.from({ length: 48 }, (_, at) => [`long-${at} 1 900`, `long-${at} 2 900`]).flat())
  next(backlog, 50)
  for (let job = 1; job <= 17; job++) {
    add(backlog, `short ${job} 50`)
    t.equal(next(backlog, 1)[0], `short ${job} 50`)
    next(backlog, 1)
  }
  add(backlog, 'short 18 50')
  t.not(next(backlog, 1)[0], 'short 18 50')
})

t.test('tenants get the same time, so one with short jobs gets more of them', async (t) => {
  const jobs = (tenant: string, ms: number): string[] => Array.from({ length: 90 }, (_, at) => `${tenant} ${at} ${ms}`)
  const backlog = backlogOf([...jobs('long', 400), ...jobs('short', 100)])
  const taken = next(backlog, 50).map((job) => job?.split(' ')[0])
  t.equal(taken.filter((tenant) => tenant === 'long').length, 10)
})

t.test('a job that took longer than expected delays the next one of its tenant', async (t) => {
  const backlog = backlogOf(['misjudged 1 1', 'misjudged 2 1'])
  next(backlog, 1)
  backlog.ended('misjudged', 'misjudged 1 1', 3_001)
  for (const job of ['honest 1 900', 'honest 2 900', 'honest 3 900', 'honest 4 900']) add(backlog, job)
  t.strictSame(next(backlog, 5), ['honest 1 900', 'honest 2 900', 'honest 3 900', 'misjudged 2 1', 'honest 4 900'])
})

t.test('a tenant whose estimates are too high has its jobs as early as one whose estimates are right', async (t) => {
  const backlog = backlogOf(['high 1 800', 'honest 1 50'])
  next(backlog, 2)
  backlog.ended('high', 'high 1 800', 5)
  backlog.ended('honest', 'honest 1 50', 50)
  for (let job = 2; job < 12; job++) {
    add(backlog, `high ${job} 800`)
    add(backlog, `honest ${job} 50`)
  }
  const early = []
  for (let turn = 0; turn < 20; turn++) {
    const job = backlog.take()
    if (job === undefined) break
    backlog.ended(job.tenant, job.jobId, job.tenant === 'high' ? 5 : 50)
    if (turn < 10) early.push(job.tenant)
  }
  t.ok(early.filter((tenant) => tenant === 'high').length >= 5, early.join())
})

t.test('a job that is deleted on its way gives nothing back', async (t) => {
  const backlog = backlogOf(['deletes 1 500', 'deletes 2 500'])
  next(backlog, 1)
  backlog.ended('deletes', 'deletes 1 500', 1, true)
  for (let job = 0; job < 9; job++) add(backlog, `honest ${job} 50`)
  t.strictSame(next(backlog, 10).slice(-1), ['deletes 2 500'])
})

t.test('who was idle has saved nothing against who was not', async (t) => {
  const backlog = backlogOf(Array.from({ length: 100 }, (_, at) => `steady ${at} 100`))
  next(backlog, 60)
  for (let job = 0; job < 20; job++) add(backlog, `idle ${job} 100`)
  const taken = next(backlog, 20).map((job) => job?.split(' ')[0])
  t.equal(taken.filter((tenant) => tenant === 'steady').length, 10)
})

t.test('of the tenants that a rule lets through, the one whose turn would end first is next', async (t) => {
  const backlog = backlogOf(['a 1 5', 'b 1 9', 'c 1 7'])
  t.equal(backlog.take((tenant) => tenant !== 'a')?.jobId, 'c 1 7')
  t.equal(backlog.take((tenant) => tenant === 'z', () => true)?.jobId, 'a 1 5')
})
