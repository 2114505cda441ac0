import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import { signal } from '../../support/processes.ts'
import { testSpec } from '../../support/job-message.ts'
import { expectedOf, keysOf, leftOf, manyShards, partsOf, resultOf, sharded } from '../../support/shards.ts'
import { csv, series } from '../../support/csv.ts'
import { until } from '../../support/until.ts'
import { go, setup, type TestWorker } from '../../support/worker.ts'

const bench = await setup()
t.teardown(bench.cleanup)
bench.answer = () => ({ ...go, shardSlots: 2 })
let workers: TestWorker[] = []
await bench.start(sharded).then(async (worker) => {
  workers = [worker, await bench.start(sharded)]
})
const expected = await expectedOf(bench, manyShards)

async function submit (): Promise<{ jobId: string, seq: number }> {
  const jobId = `job_${ulid()}`
  return { jobId, seq: await bench.submit(manyShards.csv, { jobId, spec: manyShards.spec }, 'large') }
}

/** The worker that coordinates the job, and the other one. */
async function rolesOf (jobId: string): Promise<{ coordinator: TestWorker, helper: TestWorker }> {
  const { workerId } = await until('a claim', () => bench.claims.find((claim) => claim.jobId === jobId))
  const coordinator = workers.find((worker) => worker.log().includes(workerId))!
  return { coordinator, helper: workers.find((worker) => worker !== coordinator)! }
}

async function ends (t: Test, { jobId, seq }: { jobId: string, seq: number }): Promise<void> {
  const event = await bench.event(jobId)
  await bench.forgotten(seq)
  const { files, result } = await resultOf(bench, jobId, event.run)
  t.strictSame(result, expected.result)
  t.strictSame(files, expected.files)
  await leftOf(bench, jobId)
}

function stored (worker: TestWorker, jobId: string): number {
  return worker.log().split('\n').filter((line) => line.includes('part of a shard stored') && line.includes(jobId))
    .length
}

await t.test('both workers compute shards of a job, and say so', async (t) => {
  const job = await submit()
  const { helper } = await rolesOf(job.jobId)
  const seen = until('its announcement',
    () => [...bench.workers.values()].some(({ helping }) => helping?.includes(job.jobId) === true))
  await ends(t, job)
  await seen
  t.ok(stored(helper, job.jobId) > 0)
  const news = bench.news.filter(({ jobId, shards }) => jobId === job.jobId && shards !== undefined)
  t.ok(news.every(({ shards, fraction }) => shards!.done <= shards!.total && fraction <= 1))
  const fractions = bench.news.filter(({ jobId }) => jobId === job.jobId).map(({ fraction }) => fraction)
  t.strictSame(fractions, [...fractions].sort((one, other) => one - other), 'progress never goes back')
})

await t.test("a helper's slot stands still: its shard is computed twice, and the first part counts", async (t) => {
  const job = await submit()
  const { helper } = await rolesOf(job.jobId)
  await until('the helper has helped', () => stored(helper, job.jobId) > 0)
  const pids = helper.slotPids()
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await bench.event(job.jobId)
  for (const pid of pids) signal(pid, 'SIGCONT')
  await ends(t, job)
})

await t.test("a helper's slot dies: the coordinator computes its shard", async (t) => {
  const job = await submit()
  const { helper } = await rolesOf(job.jobId)
  await until('the helper has helped', () => stored(helper, job.jobId) > 0)
  for (const pid of helper.slotPids()) signal(pid, 'SIGKILL')
  await ends(t, job)
  t.equal(bench.claims.filter(({ jobId }) => jobId === job.jobId).length, 1)
})

await t.test('small jobs go on beside', async (t) => {
  const two = await bench.start({ ...sharded, TABCAST_SLOTS: '2' })
  const job = await submit()
  await partsOf(bench, job.jobId, 1)
  const small = `job_${ulid()}`
  await bench.submit(csv(series()), { jobId: small, spec: testSpec })
  t.match(await bench.event(small), { code: null })
  t.notOk(bench.events.some(({ jobId }) => jobId === job.jobId), 'which takes longer')
  await ends(t, job)
  await two.end('SIGTERM')
})

await t.test('a helper that is asked to stop gives its shard back', async (t) => {
  const job = await submit()
  const { helper, coordinator } = await rolesOf(job.jobId)
  await until('the helper has helped', () => stored(helper, job.jobId) > 0)
  await helper.end('SIGTERM')
  workers = [coordinator]
  await ends(t, job)
  workers.push(await bench.start(sharded))
})

await t.test('a worker sleeps through its lease, and another goes on: both finish, with the same bytes', async (t) => {
  const job = await submit()
  const { helper, coordinator } = await rolesOf(job.jobId)
  await partsOf(bench, job.jobId, 2)
  const asleep = [coordinator.process.pid!, ...coordinator.slotPids()]
  for (const pid of asleep) signal(pid, 'SIGSTOP')
  await until('the second claim', () =>
    new Set(bench.claims.filter(({ jobId }) => jobId === job.jobId)
      .map(({ workerId }) => workerId)).size === 2)
  await until('it goes on', () => helper.log().includes('going on from an earlier plan'))
  for (const pid of asleep) signal(pid, 'SIGCONT')
  await ends(t, job)
  await until('both have ended', async () => {
    return [...bench.workers.values()].every(({ running }) => running.every(({ jobId }) => jobId !== job.jobId))
  })
  for (const event of bench.events.filter(({ jobId, code }) => jobId === job.jobId && code === null)) {
    t.strictSame((await resultOf(bench, job.jobId, event.run)).files, expected.files)
  }
  t.notOk((await keysOf(bench, job.jobId)).some((key) => key.includes('/shards/')))
})

await t.test('a helper is killed: the coordinator computes what it had', async (t) => {
  const job = await submit()
  const { helper, coordinator } = await rolesOf(job.jobId)
  await until('the helper has helped', () => stored(helper, job.jobId) > 0)
  await helper.end('SIGKILL')
  workers = [coordinator]
  await ends(t, job)
})
