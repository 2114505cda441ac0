import { rename, symlink, unlink } from 'node:fs/promises'
import t from 'tap'
import { ulid } from 'ulid'
import { csv, series } from '../support/csv.ts'
import { testSpec } from '../support/job-message.ts'
import { until } from '../support/until.ts'
import { setup } from '../support/worker.ts'

/** Seconds of computing on one thread. */
const long = csv(Array.from({ length: 60 }, (_, n) => {
  return series({ item: `s${n}`, length: 400, value: (step) => 100 + n + 10 * Math.sin(step / (3 + n % 5)) })
}).flat())

t.test('a cancel stops the run that it names and no other; a job that comes again meanwhile is run', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start({ TABCAST_SLOTS: '2' })
  const jobId = `job_${ulid()}`
  const job = { jobId, spec: { ...testSpec, preset: 'balanced' as const, predictionLength: 28 } }
  const before = await bench.submit(long, job)
  const { run: first } = await until('it computes',
    () => bench.news.find((news) => news.jobId === jobId && news.stage !== 'running'))
  bench.queue.publishCancel(jobId, 'over', ulid())
  const seen = bench.news.length
  await until('it goes on', () => bench.news.slice(seen).some((news) => news.jobId === jobId && news.run === first))

  // Its slot hears of no cancel, so that the run takes a second to end, while the other slot is free.
  for (const pid of worker.slotPids()) process.kill(pid, 'SIGSTOP')
  bench.queue.publishCancel(jobId, 'over', first)
  const again = await bench.submit(long, { ...job, dispatch: 2 })
  await bench.forgotten(before)
  for (const pid of worker.slotPids()) process.kill(pid, 'SIGCONT')
  const event = await bench.event(jobId)
  t.equal(event.code, null, event.error ?? '')
  t.match(bench.claims.find(({ run }) => run === event.run), { jobId, dispatch: 2 }, 'by its new message')
  await bench.forgotten(again)
})

t.test('a job that is sent again before its run hears that it was stopped is run by its new message', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  await bench.start({ TABCAST_SLOTS: '2' })
  const jobId = `job_${ulid()}`
  const job = { jobId, spec: { ...testSpec, preset: 'balanced' as const, predictionLength: 28 } }
  const before = await bench.submit(long, job)
  const { run: first } = await until('it computes',
    () => bench.news.find((news) => news.jobId === jobId && news.stage !== 'running'))
  const again = await bench.submit(long, { ...job, dispatch: 2 })
  // The worker has seen the new message, and keeps the old one.
  await new Promise((resolve) => setTimeout(resolve, 500))
  bench.queue.publishCancel(jobId, 'over', first)
  await bench.forgotten(before)
  const event = await bench.event(jobId)
  t.equal(event.code, null, event.error ?? '')
  t.match(bench.claims.find(({ run }) => run === event.run), { jobId, dispatch: 2 })
  await bench.forgotten(again)
})

t.test('a run that is being stored goes on when others need its slot, which it has left', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start()
  const jobId = `job_${ulid()}`
  const seq = await bench.submit(long, {
    jobId,
    spec: { ...testSpec, preset: 'balanced' as const, predictionLength: 28 }
  })
  // The slot reads its input in place.
  const { run } = await until('it has read its input',
    () => bench.news.find((news) => news.jobId === jobId && !['running', 'ingest'].includes(news.stage)))
  await rename(bench.objects, `${bench.objects}.away`)
  // Followed by nobody without an error.
  await symlink(bench.objects, bench.objects)
  await until('its result is not stored yet', () => worker.log().includes('result not stored yet'), 60_000)
  bench.queue.publishCancel(jobId, 'over', run)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await unlink(bench.objects)
  await rename(`${bench.objects}.away`, bench.objects)
  t.match(await bench.event(jobId), { run, code: null })
  await bench.forgotten(seq)
})
