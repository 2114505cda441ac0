import t from 'tap'
import { LmdbTable } from '../../../src/platform/metadata/table.ts'
import { Stage } from '../../support/job-stage.ts'
import { until } from '../../support/until.ts'

/* What the comparison of the record with the queue costs, and what a start takes up. */

t.test('jobs that wait in the backlog are not read by the reconciler, however many there are', async (t) => {
  const stage = await Stage.open(t, { TABCAST_RECONCILE_MS: '100', TABCAST_LEASE_MS: '1000' })
  for (let job = 0; job < 60; job++) await stage.submit()
  const waiting = stage.metadata.table('outbox').count()
  t.ok(waiting > 40, `${waiting} wait`)
  const ranges = t.capture(LmdbTable.prototype, 'range', LmdbTable.prototype.range)
  const reads = t.capture(LmdbTable.prototype, 'get', LmdbTable.prototype.get)
  const read = new Map<string, number>()
  let rounds = 0
  await until('rounds of the reconciler', () => {
    rounds += ranges().filter(({ receiver }) => (receiver as LmdbTable<unknown>).name === 'active').length
    for (const { receiver, args: [key] } of reads()) {
      if ((receiver as LmdbTable<unknown>).name === 'jobs') read.set(String(key), (read.get(String(key)) ?? 0) + 1)
    }
    return rounds >= 5
  }, 30_000)
  t.ok(read.size <= 60 - waiting, `${read.size} of 60 records were read`)
})

t.test('more open jobs than one look at their index takes are all taken up at a start, once', async (t) => {
  const stage = await Stage.open(t, {})
  const before = []
  for (let job = 0; job < 620; job++) before.push((await stage.submit()).jobId)
  await stage.stopApi()
  await stage.startApi()
  await stage.jobs.restored
  await until('the queue', () => stage.jobs.state().connected)
  t.equal(stage.jobs.state().waiting, 620)
  const last = stage.jobs.get('acme', before.at(-1) ?? '')
  t.equal(last && stage.jobs.progress(last)?.queuePosition !== null, true)
})

t.test('jobs that were on their way to a worker when the queue died keep no place from others', async (t) => {
  const stage = await Stage.open(t, { TABCAST_LEASE_MS: '60000', TABCAST_RECONCILE_MS: '60000' })
  // Two slots have four messages in the stream at most. They are delivered, and nobody claims them.
  for (const tenant of ['a', 'b', 'c', 'd']) {
    await stage.submit(tenant)
    await stage.next()
  }
  stage.nats.kill()
  await until('the queue is away', () => !stage.jobs.state().connected)
  await until('the queue is back', () => stage.jobs.state().connected, 30_000)
  const { jobId } = await until('a job is taken', () => stage.submit('e').catch(() => undefined), 10_000)
  const delivered: string[] = []
  while (!delivered.includes(jobId) && delivered.length < 5) delivered.push((await stage.next()).message.jobId)
  t.ok(delivered.includes(jobId), `${delivered.length} were delivered, some of them again`)
})
