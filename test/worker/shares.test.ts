import t from 'tap'
import { ulid } from 'ulid'
import { messageVersion as v } from '../../src/domain/message-version.ts'
import type { QuickCheckRequest, QuickConvertReply } from '../../src/platform/queue/quick-messages.ts'
import { csv, series } from '../support/csv.ts'
import { testLimits, testSpec } from '../support/job-message.ts'
import { until } from '../support/until.ts'
import { setup, type TestBench } from '../support/worker.ts'

/*
 * What a worker does while somebody waits: a tenant who asks for all of it leaves the others their turns and their
 * places.
 */

const newJobId = (): string => `job_${ulid()}`
const isBusy = (reply: object): boolean => 'busy' in reply

/** The table of a forecast of the tenant. */
async function forecastOf (bench: TestBench, tenant: string): Promise<string> {
  const jobId = newJobId()
  const outputPrefix = `${tenant}/${jobId}/`
  await bench.submit(csv(series({ item: 'north', length: 40 })), {
    jobId,
    tenant,
    outputPrefix,
    input: { key: `${outputPrefix}input`, format: 'csv', bytes: 1 }
  })
  const { run, code } = await bench.event(jobId)
  if (code !== null) throw new Error(`the job failed: ${code}`)
  return `${outputPrefix}${run}/forecast.parquet`
}

t.test('conversions of many large results leave the next turn to another tenant, and a place', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  await bench.start()
  const [acme, other] = [await forecastOf(bench, 'acme'), await forecastOf(bench, 'other')]
  const ended: string[] = []
  const convert = async (parquetKey: string, name: string): Promise<QuickConvertReply> => {
    const reply = await bench.queue.quickConvert({
      v,
      parquetKey,
      csvKey: parquetKey.replace('forecast.parquet', `${name}.csv`),
      budgetMs: 120_000
    }, 125_000)
    if (!isBusy(reply)) ended.push(name)
    return reply
  }
  const flood = Array.from({ length: 20 }, (_, at) => convert(acme, `a${at}`))
  // Behind them in the same connection, so the worker has all of them by then.
  const neighbour = await convert(other, 'b')
  t.match(neighbour, { ok: true }, 'one more than are held, and not refused')
  t.ok(ended.indexOf('b') <= 2, `after ${ended.indexOf('b')} of twenty`)
  const replies = await Promise.all(flood)
  t.equal(replies.filter((reply) => reply.ok).length, 15)
  t.equal(replies.filter(isBusy).length, 5, 'four were too many, and one gave its place up')
  t.match(await bench.queue.quickConvert({ v, parquetKey: acme, csvKey: `${acme}.csv`, budgetMs: 0 }, 10_000), {
    ok: false,
    busy: true
  }, 'one that has no time is not begun')
})

t.test('a conversion that takes long leaves a lane to another tenant', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start()
  const [acme, other] = [await forecastOf(bench, 'acme'), await forecastOf(bench, 'other')]
  const convert = async (parquetKey: string) =>
    await bench.queue.quickConvert({
      v,
      parquetKey,
      csvKey: parquetKey.replace('forecast.parquet', 'late.csv'),
      budgetMs: 120_000
    }, 125_000)
  const before = new Set(worker.slotPids())
  const long = convert(acme)
  const pid = await until('the process of the conversion', () => worker.slotPids().find((one) => !before.has(one)))
  process.kill(pid, 'SIGSTOP')
  t.match(await convert(other), { ok: true })
  process.kill(pid, 'SIGCONT')
  t.match(await long, { ok: true })
})

t.test('a conversion has its room in scratch before it is begun, and gives it back', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  // A quarter of it, and three quarters of that for one tenant.
  const worker = await bench.start({ TABCAST_DATA_DIR_MAX_BYTES: '100000000', TABCAST_WORKERS: '1' })
  const parquetKey = await forecastOf(bench, 'acme')
  const csvKey = parquetKey.replace('forecast.parquet', 'late.csv')
  const convert = async (roomBytes: number) =>
    await bench.queue.quickConvert({ v, parquetKey, csvKey, roomBytes, budgetMs: 120_000 }, 125_000)
  t.match(await convert(20_000_000), { ok: false, failed: 'dataset_too_large' })
  t.match(worker.log(), /there is no room for its files/)
  t.equal(await bench.store.stat(csvKey), undefined)
  for (let call = 0; call < 3; call++) t.match(await convert(15_000_000), { ok: true, file: { name: 'forecast.csv' } })
})

t.test('content checks of one tenant do not take all places that a worker holds', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  await bench.start({ TABCAST_CHECK_SLOTS: '1', TABCAST_QUICK_QUEUE: '4' })
  const table = csv(Array.from({ length: 300 }, (_, at) => series({ item: `item-${at}`, length: 300 })).flat())
  const check = async (tenant: string): Promise<QuickCheckRequest> => {
    const key = `${tenant}/${newJobId()}/input`
    await bench.store.putBytes(key, Buffer.from(table))
    return {
      v,
      tenant,
      depth: 'full',
      input: { key, format: 'csv', bytes: table.length },
      spec: testSpec,
      limits: testLimits
    }
  }
  const [acme, other] = [await check('acme'), await check('other')]
  const flood = Array.from({ length: 8 }, () => bench.queue.quickCheck(acme, 60_000))
  t.match(await bench.queue.quickCheck(other, 60_000), { ok: true })
  const replies = await Promise.all(flood)
  t.equal(replies.filter((reply) => reply.ok).length, 3)
  t.equal(replies.filter(isBusy).length, 5)
})
