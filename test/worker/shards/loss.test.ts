import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import { planFile } from '../../../src/platform/store/keys.ts'
import { expectedOf, keysOf, leftOf, manyShards, partsOf, resultOf, sharded } from '../../support/shards.ts'
import { until } from '../../support/until.ts'
import { go, setup, type TestBench, type TestWorker } from '../../support/worker.ts'

async function open (t: Test): Promise<TestBench> {
  const bench = await setup()
  t.teardown(bench.cleanup)
  bench.answer = () => ({ ...go, shardSlots: 2 })
  return bench
}

async function submit (bench: TestBench): Promise<{ jobId: string, seq: number }> {
  const jobId = `job_${ulid()}`
  return { jobId, seq: await bench.submit(manyShards.csv, { jobId, spec: manyShards.spec }, 'large') }
}

/** The job ends as it does in one piece, and leaves nothing. */
async function ends (t: Test, bench: TestBench, { jobId, seq }: { jobId: string, seq: number },
  expected: Awaited<ReturnType<typeof expectedOf>>): Promise<void> {
  const event = await bench.event(jobId)
  await bench.forgotten(seq)
  const { files, result } = await resultOf(bench, jobId, event.run)
  t.strictSame(result, expected.result)
  t.strictSame(files, expected.files)
  await leftOf(bench, jobId)
}

const wentOn = (worker: TestWorker, jobId: string): boolean =>
  worker.log().split('\n').some((line) => line.includes('going on from an earlier plan') && line.includes(jobId))

await t.test('a run whose slot or worker is lost, in each stage', async (t) => {
  const bench = await open(t)
  const first = await bench.start(sharded)
  const expected = await expectedOf(bench, manyShards)

  await t.test('its slot dies while it computes shards: the next run goes on from the parts', async (t) => {
    const job = await submit(bench)
    await partsOf(bench, job.jobId, 3)
    for (const pid of first.slotPids()) process.kill(pid, 'SIGKILL')
    await ends(t, bench, job, expected)
    t.ok(wentOn(first, job.jobId))
    t.equal(new Set(bench.claims.filter(({ jobId }) => jobId === job.jobId).map(({ run }) => run)).size, 2)
  })

  await t.test('its slot dies while it plans: the next run plans', async (t) => {
    const job = await submit(bench)
    await until('it plans', () => bench.claims.some(({ jobId }) => jobId === job.jobId))
    for (const pid of first.slotPids()) process.kill(pid, 'SIGKILL')
    await ends(t, bench, job, expected)
  })

  await t.test('its worker is killed: another one goes on, whatever of the parts is wrong', async (t) => {
    const job = await submit(bench)
    await partsOf(bench, job.jobId, 6)
    await first.end('SIGKILL')
    const keys = await keysOf(bench, job.jobId)
    const path = (key: string): string => join(bench.objects, 'acme', job.jobId, key)
    const done = keys.filter((key) => key.endsWith('/part.cbor')).map((key) => key.replace(/part\.cbor$/, ''))
    const fileOf = (shard: string, name: string): string =>
      path(keys.find((key) => key.startsWith(shard) && key.endsWith(name))!)
    const [altered, missing, foreign, junk] = done as [string, string, string, string]
    replace(fileOf(altered, 'forecast.parquet'), randomBytes(1000))
    rmSync(fileOf(missing, 'forecast.parquet'))
    const record = await bench.store.getBytes(`acme/${job.jobId}/${done[4]}part.cbor`, 100_000)
    replace(path(`${foreign}part.cbor`), record)
    replace(path(`${junk}part.cbor`), randomBytes(100))
    const second = await bench.start(sharded)
    await ends(t, bench, job, expected)
    t.ok(wentOn(second, job.jobId))
    await second.end('SIGTERM')
  })

  await t.test('its worker is killed, and the plan is damaged: another one plans anew', async (t) => {
    const before = await bench.start(sharded)
    const job = await submit(bench)
    await partsOf(bench, job.jobId, 3)
    await before.end('SIGKILL')
    const plan = (await keysOf(bench, job.jobId)).find((key) => key.endsWith(planFile))!
    replace(join(bench.objects, 'acme', job.jobId, plan), randomBytes(1000))
    const after = await bench.start(sharded)
    await ends(t, bench, job, expected)
    t.ok(after.log().includes('planned anew'))
    await after.end('SIGTERM')
  })

  await t.test('its worker is killed when all parts are there', async (t) => {
    const before = await bench.start(sharded)
    const job = await submit(bench)
    await partsOf(bench, job.jobId, 64)
    await before.end('SIGKILL')
    await bench.start(sharded)
    await ends(t, bench, job, expected)
  })
})

await t.test('the queue is killed', async (t) => {
  const bench = await open(t)
  await bench.start(sharded)
  await bench.start(sharded)
  const expected = await expectedOf(bench, manyShards)
  const job = await submit(bench)
  await partsOf(bench, job.jobId, 3)
  bench.nats.kill()
  await ends(t, bench, job, expected)
})

await t.test('a job is deleted in each stage', async (t) => {
  const bench = await open(t)
  const workers = [await bench.start(sharded), await bench.start(sharded)]
  for (const parts of [0, 1, 20, 60]) {
    const { jobId, seq } = await submit(bench)
    if (parts === 0) await until('it plans', () => bench.claims.some((claim) => claim.jobId === jobId))
    else await partsOf(bench, jobId, parts)
    bench.queue.publishCancel(jobId, 'deleted')
    await bench.forgotten(seq)
    // As the api does, which owns the record.
    await bench.store.deletePrefix(`acme/${jobId}/`)
    await leftOf(bench, jobId)
    t.strictSame(await keysOf(bench, jobId), [], `after ${parts} parts`)
  }
  t.notOk(workers.some((worker) => worker.log().includes('"level":50')))
})

/** Objects of the folder are read-only and share their bytes with files of runs. */
function replace (path: string, bytes: Uint8Array): void {
  rmSync(path)
  writeFileSync(path, bytes)
}
