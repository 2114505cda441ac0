import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, rename, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t from 'tap'
import { ulid } from 'ulid'
import type { JobResult } from '../../src/domain/job-result.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { PreparationSpec } from '../../src/domain/preparation-spec.ts'
import { decodeResult, encodeResult } from '../../src/platform/queue/index.ts'
import type { QuickCheckRequest } from '../../src/platform/queue/quick-messages.ts'
import { eventsStream } from '../../src/platform/queue/streams.ts'
import { resultKey } from '../../src/platform/store/keys.ts'
import { csv, series } from '../support/csv.ts'
import { testJob, testLimits, testSpec } from '../support/job-message.ts'
import { testStreams } from '../support/nats.ts'
import { until } from '../support/until.ts'
import { go, setup, type TestBench } from '../support/worker.ts'

const v = messageVersion
const small = csv([...series({ item: 'north' }), ...series({ item: 'south' })])
/** Seconds of computing on one thread, so that faults meet a run under way. */
const waves = (count: number) =>
  csv(
    Array.from({ length: count },
      (_, n) => series({ item: `s${n}`, length: 400, value: (step) => 100 + n + 10 * Math.sin(step / (3 + n % 5)) }))
      .flat()
  )
const long = waves(60)
/** Longer than a tenth of a second even with the models that short budgets are left with. */
const tooLong = waves(1_500)
const longRun = { spec: { ...testSpec, preset: 'balanced' as const, predictionLength: 28 } }

function newJobId (): string {
  return `job_${ulid()}`
}

async function readResult (bench: TestBench, jobId: string,
  run: string): Promise<{ result: JobResult, sha256: string }> {
  const bytes = await bench.store.getBytes(resultKey(`acme/${jobId}/`, run), 1_000_000)
  return { result: decodeResult(bytes), sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function objectNames (bench: TestBench, prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of bench.store.list(prefix)) names.push(key.slice(prefix.length))
  return names
}

/** Until the slot computes, as told by news after the first. */
async function computing (bench: TestBench, jobId: string, run?: string): Promise<string> {
  const found = await until(`${jobId} to compute`,
    () =>
      bench.news.find((news) =>
        news.jobId === jobId && news.stage !== 'running' && (run === undefined || news.run === run)
      ))
  return found.run
}

await t.test('one worker', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start({ TABCAST_QUICK_QUEUE: '2' })

  await t.test('runs a job: claim, news, outputs, result, event, acknowledgement', async (t) => {
    const jobId = newJobId()
    const seq = await bench.submit(small, { jobId })
    const event = await bench.event(jobId)
    t.match(event, { v, tenant: 'acme', code: null, error: null })
    t.match(bench.claims.filter((claim) => claim.jobId === jobId), [{ tenant: 'acme', dispatch: 1, run: event.run }])
    t.notOk(bench.news.some((news) => news.jobId === jobId && news.stage === 'running'), 'the claim said that it runs')
    const { result, sha256 } = await readResult(bench, jobId, event.run)
    t.equal(event.resultSha256, sha256)
    t.match(result, { jobId, run: event.run, code: null, numItems: 2, datasetHash: /^[0-9a-f]{64}$/ })
    for (const file of result.files) {
      const bytes = await bench.store.getBytes(`acme/${jobId}/${event.run}/${file.name}`, 1_000_000)
      t.match(file, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }, file.name)
    }
    t.same(result.files.map((file) => file.name).sort(), ['forecast.csv', 'forecast.parquet', 'report.html',
      'report.json'])
    await bench.forgotten(seq)
    await until('an idle slot',
      () => [...bench.workers.values()].some((message) => message.freeAny === 1 && message.running.length === 0))
  })

  await t.test("reports bad input with the engine's code and does not try again", async (t) => {
    const jobId = newJobId()
    const seq = await bench.submit('item_id,timestamp,value\na,2024-01-01,1\na,2024-01-02,2\n', { jobId })
    const event = await bench.event(jobId)
    t.match(event, { code: 'validation_error', error: /target/ })
    t.match((await readResult(bench, jobId, event.run)).result, {
      code: 'validation_error',
      error: event.error,
      files: []
    })
    await bench.forgotten(seq)
    t.equal(bench.claims.filter((claim) => claim.jobId === jobId).length, 1)
  })

  await t.test('drops a job that the api refuses', async (t) => {
    const jobId = newJobId()
    bench.answer = () => ({ v, go: false, reason: 'terminal' })
    await bench.forgotten(await bench.submit(small, { jobId }))
    bench.answer = () => go
    t.same(await objectNames(bench, `acme/${jobId}/`), ['input'])
    t.notOk(bench.events.some((event) => event.jobId === jobId))
  })

  await t.test('goes on without an api', async (t) => {
    const jobId = newJobId()
    bench.answer = undefined
    await bench.submit(small, { jobId })
    t.match(await bench.event(jobId), { code: null })
    t.match(bench.news.find((news) => news.jobId === jobId), { stage: 'running', fraction: 0 })
    bench.answer = () => go
  })

  await t.test('fails a job whose input is gone', async (t) => {
    const jobId = newJobId()
    await bench.queue.publishJob('small', testJob(jobId))
    t.match(await bench.event(jobId), { code: 'storage_error', error: 'The stored input is gone.' })
  })

  await t.test('trains a model, and forecasts with it', async (t) => {
    const jobId = newJobId()
    const training = { loss: 'mae', validationWindows: 1, maxRuntimeSeconds: null } as const
    await bench.submit(small, { jobId, jobType: 'fine_tune', spec: { ...testSpec, training } }, 'large')
    const { run } = await bench.event(jobId)
    const { result } = await readResult(bench, jobId, run)
    t.match(result, {
      code: null,
      numItems: 2,
      trained: { freq: 'D', covariates: [], metrics: { candidate: {}, baseline: {} } }
    }, result.error ?? '')
    t.same((await objectNames(bench, `acme/${jobId}/`)).sort(),
      [`${run}/model.bin`, `${run}/result.cbor`, 'input'].sort())
    const file = result.files.find(({ name }) => name === 'model.bin')
    const model = {
      modelId: 'ft_1',
      key: `acme/${jobId}/${run}/model.bin`,
      bytes: file?.bytes ?? 0,
      sha256: file?.sha256 ?? ''
    }
    const second = newJobId()
    await bench.submit(small, { jobId: second, spec: { ...testSpec, modelId: 'ft_1' }, model })
    t.match(await bench.event(second), { code: null })
    for (const [key, error] of [['acme/none/model.bin', /model ft:ft_1 .* is gone\. Train a new model/], [
      `acme/${jobId}/${run}/result.cbor`,
      /model ft:ft_1 .* is damaged\. Train a new model/
    ]] as const) {
      const wrong = newJobId()
      await bench.submit(small, { jobId: wrong, spec: { ...testSpec, modelId: 'ft_1' }, model: { ...model, key } })
      t.match(await bench.event(wrong), { code: 'pipeline_failed', error })
    }
  })

  await t.test('announces the result of an earlier run without computing', async (t) => {
    const jobId = newJobId()
    const run = ulid()
    const result: JobResult = {
      v,
      jobId,
      run,
      code: null,
      error: null,
      files: [],
      numItems: 7,
      datasetHash: 'x',
      timings: {},
      warnings: []
    }
    const bytes = encodeResult(result)
    await bench.store.putBytes(resultKey(`acme/${jobId}/`, run), bytes)
    const seq = await bench.submit(small, { jobId, dispatch: 2 })
    t.match(await bench.event(jobId), {
      run,
      code: null,
      resultSha256: createHash('sha256').update(bytes).digest('hex')
    })
    await bench.forgotten(seq)
    t.same((await objectNames(bench, `acme/${jobId}/`)).sort(), [`${run}/result.cbor`, 'input'].sort())
  })

  await t.test('computes again where the result of an earlier run is too large to be read', async (t) => {
    const jobId = newJobId()
    const run = ulid()
    await bench.store.putBytes(resultKey(`acme/${jobId}/`, run), Buffer.alloc(2 * 1024 * 1024))
    await bench.submit(small, { jobId, dispatch: 2 })
    const event = await bench.event(jobId)
    t.equal(event.code, null)
    t.not(event.run, run)
  })

  await t.test('kills the slot when the time budget is over', async (t) => {
    const jobId = newJobId()
    const seq = await bench.submit(tooLong, { jobId, ...longRun, budgetMs: 100 })
    const event = await bench.event(jobId)
    t.match(event, { code: 'timeout', error: /time budget of 0\.1 s/ })
    t.match((await readResult(bench, jobId, event.run)).result, { code: 'timeout' })
    await bench.forgotten(seq)
  })

  await t.test('cancels a run and leaves nothing of it', async (t) => {
    const jobId = newJobId()
    const seq = await bench.submit(long, { jobId, ...longRun })
    await computing(bench, jobId)
    bench.queue.publishCancel(jobId, 'deleted')
    await bench.forgotten(seq)
    await until('its outputs are gone',
      async () => JSON.stringify(await objectNames(bench, `acme/${jobId}/`)) === '["input"]')
    t.notOk(bench.events.some((event) => event.jobId === jobId))
  })

  await t.test('cancelled while it announces its result, a run leaves the outputs to the api, unless the job is gone', async (t) => {
    const direct = await connect({ servers: bench.nats.server.url, token: bench.nats.server.token })
    t.teardown(() => direct.close())
    const manager = await direct.jetstreamManager()
    bench.refusesEnds = true
    for (const [reason, kept] of [['superseded', true], ['deleted', false]] as const) {
      const jobId = newJobId()
      await manager.streams.delete(eventsStream)
      const seq = await bench.submit(small, { jobId })
      const { run } = await until('its claim', () => bench.claims.find((claim) => claim.jobId === jobId))
      await until('a stored result that cannot be announced', () =>
        worker.log().split('\n').some((line) => line.includes('event not stored yet') && line.includes(run)))
      // Meanwhile another attempt announced what this run had stored, or the customer deleted the job.
      bench.answer = () => ({ v, go: false, reason })
      bench.queue.publishCancel(jobId, reason === 'deleted' ? 'deleted' : 'over')
      await bench.forgotten(seq)
      const isKept = async () => (await objectNames(bench, `acme/${jobId}/`)).includes(`${run}/forecast.csv`)
      if (!kept) await until('its outputs are gone', async () => !await isKept())
      // Asked after the acknowledgement whether the job is gone.
      await until('the second claim', () => bench.claims.filter((claim) => claim.jobId === jobId).length > 1)
      t.equal(await isKept(), kept, reason)
      bench.answer = () => go
      await bench.queue.ensureStreams(testStreams)
    }
    bench.refusesEnds = false
  })

  await t.test('starts a new run when its slot is killed, and says which one died', async (t) => {
    const jobId = newJobId()
    await bench.submit(long, { jobId, ...longRun })
    const first = await computing(bench, jobId)
    for (const pid of worker.slotPids()) process.kill(pid, 'SIGKILL')
    const claim = await until('the second claim',
      () => bench.claims.find((claim) => claim.jobId === jobId && claim.died !== undefined))
    t.match(claim.died, { run: first, cause: 'crash' })
    t.not(claim.run, first)
    const event = await bench.event(jobId)
    t.match(event, { code: null, run: claim.run })
    t.same(await objectNames(bench, `acme/${jobId}/${first}/`), [])
  })

  await t.test('gives up after three deaths when there is no api to count them', async (t) => {
    const jobId = newJobId()
    bench.answer = undefined
    const seq = await bench.submit(long, { jobId, ...longRun })
    const seen = new Set<string>()
    while (seen.size < 3) {
      const news = await until('the next run', () =>
        bench.news.find((news) => news.jobId === jobId && news.stage !== 'running' && !seen.has(news.run)))
      seen.add(news.run)
      for (const pid of worker.slotPids()) process.kill(pid, 'SIGKILL')
    }
    t.match(await bench.event(jobId), { code: 'pipeline_failed', error: /died 3 times/ })
    bench.answer = () => go
    await bench.forgotten(seq)
  })

  await t.test('prepares the rows that a job asks for before it forecasts them, and in a content check', async (t) => {
    const preparation: PreparationSpec = {
      filters: [{ column: 'item_id', op: 'in', values: ['north', 'south'] }],
      seriesColumns: [],
      step: 'W-SUN',
      aggregate: 'sum',
      missing: 'none',
      anomalies: 'flag'
    }
    const rows = csv(['north', 'south', 'west'].flatMap((item) => series({ item, length: 70 })))
    const spec = { ...testSpec, freq: 'W-SUN', preparation }
    const jobId = newJobId()
    await bench.submit(rows, { jobId, spec })
    const event = await bench.event(jobId)
    const { result } = await readResult(bench, jobId, event.run)
    t.match(result, {
      code: null,
      numItems: 1,
      timings: { prepare: Number },
      preparation: {
        rowsRead: 210,
        rowsUsed: 140,
        filtered: [{ column: 'item_id', op: 'in', values: ['north', 'south'], rows: 70 }],
        seriesBefore: 1,
        seriesAfter: 1,
        stepsFilled: 0,
        anomalies: { examples: Array }
      }
    })
    t.same(result.files.map((file) => file.name).sort(), ['forecast.csv', 'forecast.parquet', 'report.html',
      'report.json'], "the prepared file is nobody's")
    const table = (await bench.store.getBytes(`acme/${jobId}/${event.run}/forecast.csv`, 1_000_000)).toString().trim()
      .split('\n').slice(1)
    t.equal(table.length, 3)
    const days = table.map((line) => new Date(`${line.split(',')[1]?.replace(' ', 'T')}Z`))
    t.ok(days.every((day) => day.getUTCDay() === 0), 'stamped on Sundays')

    const input = { key: `acme/${jobId}/input`, format: 'csv' as const, bytes: rows.length }
    const check = async (changes: Partial<PreparationSpec>, depth: 'full' | 'header') =>
      await bench.queue.quickCheck({
        v,
        depth,
        input,
        spec: { ...spec, preparation: { ...preparation, ...changes } },
        limits: testLimits
      }, 10_000)
    t.match(await check({}, 'full'), { ok: true, profile: { series: 1, freq: 'W-SUN' } })
    t.match(await check({}, 'header'), { ok: true, profile: null })
    t.match(await check({ aggregate: 'max', across: 'mean' }, 'full'), {
      ok: true,
      profile: { series: 1, freq: 'W-SUN' }
    })
    const missing = { filters: [{ column: 'regoin', op: 'eq' as const, values: ['x'] }] }
    for (const depth of ['full', 'header'] as const) {
      t.match(await check(missing, depth), { ok: false, error: { code: 'missing_column', column: 'regoin' } }, depth)
    }
    t.match(await check({ filters: [{ column: 'item_id', op: 'eq', values: ['east'] }] }, 'full'), {
      ok: false,
      error: { code: 'no_rows_left', column: 'item_id' }
    })
    const scratch = await readdir(join(bench.objects, '..'), { recursive: true })
    t.notOk(scratch.some((path) => path.includes('prepared')), 'nothing is left behind')

    const failing = newJobId()
    await bench.submit(rows, { jobId: failing, spec: { ...spec, preparation: { ...preparation, step: 'h' } } })
    t.match(await bench.event(failing), { code: 'validation_error', error: /cannot be combined into steps of 'h'/ })
  })

  await t.test('answers content checks, and says busy beyond its bound', async (t) => {
    const check = async (content: string): Promise<QuickCheckRequest> => {
      const key = `acme/${newJobId()}/input`
      await bench.store.putBytes(key, Buffer.from(content))
      return {
        v,
        depth: 'full',
        input: { key, format: 'csv', bytes: content.length },
        spec: testSpec,
        limits: testLimits
      }
    }
    const good = await check(small)
    t.match(await bench.queue.quickCheck(good, 10_000), { ok: true, profile: { series: 2, rows: 80 } })
    t.match(await bench.queue.quickCheck(await check('item_id,timestamp\n'), 10_000), {
      ok: false,
      error: { code: 'missing_column', column: 'target' }
    })
    t.match(await bench.queue.quickCheck({ ...good, input: { ...good.input, key: 'acme/none/input' } }, 10_000), {
      ok: false,
      failed: 'storage_error'
    })
    const big = await check(waves(150))
    const replies = await Promise.all(Array.from({ length: 6 }, () => bench.queue.quickCheck(big, 10_000)))
    t.equal(replies.filter((reply) => reply.ok).length, 2)
    t.equal(replies.filter((reply) => !reply.ok && 'busy' in reply).length, 4)
  })

  await t.test('stops a content check or a profile that takes more of a core than it may', async (t) => {
    // Two days far apart, with a value for each day between them: 860,000 steps from a few kilobytes.
    const content = csv(Array.from({ length: 100 }, (_, at) => [
      ...series({ item: `item-${at}`, length: 60, value: (step) => Math.sqrt(step + at) }),
      ...series({ item: `item-${at}`, length: 1, start: '2047-10-01', value: () => at })
    ]).flat())
    const input = { key: `acme/${newJobId()}/input`, format: 'csv' as const, bytes: content.length }
    await bench.store.putBytes(input.key, Buffer.from(content))
    const preparation: PreparationSpec = {
      filters: [],
      step: null,
      aggregate: 'sum',
      missing: 'interpolate',
      anomalies: 'interpolate'
    }
    const request: QuickCheckRequest = {
      v,
      depth: 'full',
      input,
      spec: { ...testSpec, freq: 'D', preparation },
      limits: { ...testLimits, maxRows: 1e7 }
    }
    const stopped = await bench.queue.quickCheck({ ...request, mostMs: 10 }, 20_000)
    t.match(stopped, { ok: false, stopped: true })
    t.ok((stopped.cpuMs ?? 0) >= 10, `${stopped.cpuMs} ms count`)
    const long = Buffer.from(
      csv(Array.from({ length: 3_000 }, (_, at) => series({ item: `i${at}`, length: 60 })).flat())
    )
    const profiled = { ...input, key: `acme/${newJobId()}/input`, bytes: long.length }
    await bench.store.putBytes(profiled.key, long)
    t.match(await bench.queue.quickProfile({ v, input: profiled, limits: testLimits, mostMs: 10 }, 20_000), {
      ok: false,
      stopped: true
    })
    const scratch = await readdir(join(bench.objects, '..'), { recursive: true })
    t.notOk(scratch.some((path) => /check-|profile-/.test(path)), 'nothing is left behind')
    t.match(await bench.queue.quickCheck({ ...request, mostMs: 60_000 }, 20_000), { ok: true })
  })

  await t.test('tries the store again while it is away, and computes once', async (t) => {
    const jobId = newJobId()
    await bench.submit(long, { jobId, ...longRun })
    const run = await computing(bench, jobId)
    await rename(bench.objects, `${bench.objects}.away`)
    // A link to itself: every access fails as on a mount that has gone.
    await symlink(bench.objects, bench.objects)
    await until('a failed attempt', () => worker.log().includes('result not stored yet'))
    await unlink(bench.objects)
    await rename(`${bench.objects}.away`, bench.objects)
    t.match(await bench.event(jobId), { run, code: null })
    t.equal(bench.claims.filter((claim) => claim.jobId === jobId).length, 1)
  })

  await t.test('finishes a run through a killed queue server', async (t) => {
    const jobId = newJobId()
    const seq = await bench.submit(long, { jobId, ...longRun })
    await computing(bench, jobId)
    bench.nats.kill()
    t.match(await bench.event(jobId), { code: null })
    await until('the message to be gone',
      async () => await bench.queue.jobMessageExists(seq).then((exists) => !exists, () => undefined))
    t.equal(bench.events.filter((event) => event.jobId === jobId).length, 1)
  })

  await t.test('keeps its secrets from its slots, and data and token out of its log', async (t) => {
    t.ok(worker.slotPids().length >= 2)
    for (const pid of worker.slotPids()) t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /TABCAST_|NATS/)
    t.notOk(worker.log().includes(bench.nats.server.token))
    t.notOk(worker.log().includes('north'))
  })
})

await t.test('the job of a killed worker goes to the next one, under a new run', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const jobId = newJobId()
  const first = await bench.start()
  await bench.submit(long, { jobId, ...longRun })
  const lost = await computing(bench, jobId)
  const slots = first.slotPids()
  await first.end('SIGKILL')
  await until('its slots to end', () => slots.every((pid) => !isAlive(pid)))
  await bench.start()
  const event = await bench.event(jobId)
  t.match(event, { code: null })
  t.not(event.run, lost)
  t.equal(bench.claims.filter((claim) => claim.jobId === jobId).length, 2)
})

await t.test('a worker that is asked to stop finishes what it can in time', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const jobId = newJobId()
  const worker = await bench.start()
  const seq = await bench.submit(long, { jobId, ...longRun })
  await computing(bench, jobId)
  await worker.end('SIGTERM')
  t.equal(worker.process.exitCode, 0)
  t.match(await bench.event(jobId), { code: null })
  await bench.forgotten(seq)
})

await t.test('a worker that loses its supervisor gives back what it cannot finish in time', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const jobId = newJobId()
  const hasty = await bench.start({ TABCAST_DRAIN_MS: '100' })
  await bench.submit(long, { jobId, ...longRun })
  const run = await computing(bench, jobId)
  const ended = once(hasty.process, 'exit')
  hasty.process.disconnect()
  await ended
  t.equal(hasty.process.exitCode, 0)
  t.match(bench.news.findLast((news) => news.run === run), { stage: 'abandoned' })
  t.notOk(bench.events.some((event) => event.jobId === jobId))
  await bench.start()
  t.match(await bench.event(jobId), { code: null })
})

await t.test('a slot above the memory limit is killed, and the claim names the cause', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const jobId = newJobId()
  bench.answer = (claim) => claim.died === undefined ? go : { v, go: false, reason: 'attempts' }
  await bench.start({ TABCAST_SLOT_MEMORY_BYTES: String(64 * 1024 * 1024) })
  // Its values alone take a third of the limit, and Node nearly all the rest.
  const seq = await bench.submit(waves(2_400), { jobId, ...longRun })
  await bench.forgotten(seq)
  t.match(bench.claims.find((claim) => claim.died !== undefined), { jobId, died: { cause: 'memory' } })
})

await t.test('a run that finds no memory beside an older one goes back, and is made when there is some', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  // One of them has some 100 MiB; the second has no room beside it as soon as it is there, as Node alone takes 78.
  await bench.start({ TABCAST_SLOTS: '3', TABCAST_SLOTS_MEMORY_BYTES: String(165 * 1024 * 1024) })
  const [older, younger] = [newJobId(), newJobId()]
  // The older one computes for many seconds, on a fast machine too.
  const large = waves(1_000)
  await bench.submit(large, { jobId: older, ...longRun }, 'large')
  await computing(bench, older)
  await bench.submit(large, { jobId: younger, budgetMs: 300_000 }, 'large')
  const back = await until('a run to go back', () => bench.claims.find((claim) => claim.givenBack !== undefined),
    120_000)
  // 'trouble' would end the job after some hundred times.
  t.match(back, { jobId: younger, givenBack: 'stopping' })
  bench.queue.publishCancel(older, 'over')
  t.match(await bench.event(younger), { code: null })
  t.notOk(bench.claims.some((claim) => claim.died !== undefined), 'no death is counted')
  t.notOk(bench.claims.some((claim) => claim.jobId === older && claim.givenBack !== undefined))
})

await t.test('with two slots a small job does not wait behind large ones', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  await bench.start({ TABCAST_SLOTS: '2' })
  const [first, second, quick] = [newJobId(), newJobId(), newJobId()]
  await bench.submit(long, { jobId: first, ...longRun }, 'large')
  await bench.submit(long, { jobId: second, ...longRun }, 'large')
  await computing(bench, first)
  await bench.submit(small, { jobId: quick }, 'small')
  await bench.event(quick)
  await Promise.all([bench.event(first), bench.event(second)])
  t.equal(bench.events[0]?.jobId, quick)
  t.same(new Set(bench.events.map((event) => event.jobId)), new Set([first, second, quick]))
})

function isAlive (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
