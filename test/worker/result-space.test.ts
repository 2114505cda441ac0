import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import { messageVersion as v } from '../../src/domain/message-version.ts'
import type { PreparationSpec } from '../../src/domain/preparation-spec.ts'
import { loadConfig } from '../../src/platform/config.ts'
import type { GivenBackReason } from '../../src/platform/queue/job-messages.ts'
import { freeBytes } from '../../src/platform/disk/free-bytes.ts'
import { assertResultSpace, isDiskShort } from '../../src/worker/result-space.ts'
import { csv, series } from '../support/csv.ts'
import { testJob, testLimits, testSpec } from '../support/job-message.ts'
import { until } from '../support/until.ts'
import { setup as setupWorker, type TestBench, type TestWorker } from '../support/worker.ts'

const MiB = 2 ** 20
const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0
const skip = canMount ? false : 'mounting a small disk needs root'

interface SmallDisk {
  readonly bench: TestBench
  readonly worker: TestWorker
  readonly folder: string
  resize(size: string): void
  submit(items: number, predictionLength: number): Promise<string>
  isGivenBack(jobId: string, reason: GivenBackReason): boolean
}

/** A worker whose data folder is on a disk of its own. */
async function setup (t: Test, size: string, minFreeBytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-results-'))
  const mount = (options: string): void => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  }
  mount(`size=${size}`)
  t.teardown(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  const bench = await setupWorker(folder)
  t.teardown(bench.cleanup)
  const worker = await bench.start({ TABCAST_DATA_DIR_MIN_FREE_BYTES: String(minFreeBytes) })
  return {
    bench,
    worker,
    folder,
    resize: (size) => mount(`remount,size=${size}`),
    async submit (items, predictionLength) {
      const jobId = `job_${ulid()}`
      const rows = Array.from({ length: items }, (_, at) => series({ item: `item-${at}`, length: 40 })).flat()
      await bench.submit(csv(rows), {
        jobId,
        outputPrefix: `acme/${jobId}/`,
        input: { key: `acme/${jobId}/input`, format: 'csv', bytes: 1 },
        spec: { ...testSpec, predictionLength },
        limits: { ...testLimits, maxForecastPoints: 1e7, maxCsvBytes: 1024 * MiB }
      })
      return jobId
    },
    isGivenBack: (jobId, reason) => bench.claims.some((claim) => claim.jobId === jobId && claim.givenBack === reason)
  }
}

t.test('a result that would take the reserve waits until there is space, and other jobs go on', { skip }, async (t) => {
  // Results that the api could estimate may use half of it.
  const { bench, worker, folder, resize, submit, isGivenBack } = await setup(t, '64m', 100 * MiB)
  const other = join(folder, 'other')
  writeFileSync(other, Buffer.alloc(20 * MiB))
  const small = await submit(1, 3)
  await until('it is given back', () => isGivenBack(small, 'stopping'))
  t.match(worker.log(), /NoResultSpace/)
  t.notOk(isGivenBack(small, 'in_vain'), 'before it is computed')
  rmSync(other)
  t.match(await bench.event(small), { code: null })

  const large = await submit(200, 1_000)
  await until('it is given back', () => isGivenBack(large, 'in_vain'))
  t.match(await bench.event(await submit(1, 3)), { code: null })
  t.notOk(bench.events.some(({ jobId }) => jobId === large), 'it has not failed')
  resize('512m')
  t.match(await bench.event(large), { code: null })
})

t.test('a result larger than the disk is ended while it is written, and does not fill the disk', { skip },
  async (t) => {
    const { bench, worker, resize, submit, isGivenBack } = await setup(t, '400m', 600 * MiB)
    const large = await submit(4_000, 1_000)
    await until('it is given back', () => isGivenBack(large, 'in_vain'), 120_000)
    t.match(worker.log(), /the disk has no space for what the run writes/)
    t.match(await bench.event(await submit(1, 3)), { code: null }, 'other jobs go on')
    t.notOk(bench.events.some(({ jobId }) => jobId === large), 'it has not failed')
    resize('3g')
    t.match(await bench.event(large), { code: null })
  })

t.test('a result that fills the disk before anybody looked has not failed', { skip }, async (t) => {
  const { bench, resize, submit, isGivenBack } = await setup(t, '24m', 8 * MiB)
  const large = await submit(1_000, 1_000)
  await until('it is given back', () => isGivenBack(large, 'in_vain'), 120_000)
  t.notOk(bench.events.some(({ jobId }) => jobId === large))
  resize('1g')
  t.match(await bench.event(large), { code: null })
})

t.test('a check whose prepared rows would take the reserve is ended, says why, and leaves nothing', { skip },
  async (t) => {
    const { bench, worker, folder } = await setup(t, '300m', 128 * MiB)
    // 60 days, a gap of 8,600 days and one more day: as many steps as preparation makes of so many rows.
    const rows = (item: string): string[] => [
      ...series({ item, length: 60, value: (step) => Math.sqrt(step) }),
      ...series({ item, length: 1, start: '2047-10-01', value: () => item.length + Math.PI })
    ]
    const content = csv(Array.from({ length: 1_800 }, (_, at) => rows(`item-${at}`)).flat())
    const key = 'acme/far/input'
    await bench.store.putBytes(key, Buffer.from(content))
    const filled: PreparationSpec = {
      filters: [],
      step: null,
      aggregate: 'sum',
      missing: 'interpolate',
      anomalies: 'none'
    }
    const check = async (preparation: PreparationSpec) =>
      await bench.queue.quickCheck({
        v,
        depth: 'full',
        input: { key, format: 'csv', bytes: content.length },
        spec: { ...testSpec, freq: 'D', preparation },
        limits: { ...testLimits, maxRows: 1e9 }
      }, 60_000)
    let leastFree = Infinity
    const looks = setInterval(() => {
      leastFree = Math.min(leastFree, freeBytes(folder))
    }, 20)
    t.teardown(() => clearInterval(looks))
    t.match(await check(filled), { ok: false, failed: 'storage_error', message: /too little room for the rows/ })
    t.ok(leastFree > 64 * MiB, `${leastFree} bytes were free all the time`)
    t.match(worker.log(), /what a content check prepares, and it is ended/)
    t.match(await check({ ...filled, missing: 'none' }), { ok: true })
    t.notOk((await readdir(folder, { recursive: true })).some((path) => path.includes('check-')))
  })

t.test('the disk is asked before a run even if a bucket takes the results, because they are written to it first',
  async (t) => {
    const config = loadConfig({
      TABCAST_DATA_DIR: tmpdir(),
      TABCAST_DATA_DIR_MIN_FREE_BYTES: String(2 ** 50),
      TABCAST_S3_ENDPOINT: 'http://127.0.0.1:9',
      TABCAST_S3_BUCKET: 'results',
      TABCAST_S3_ACCESS_KEY_ID: 'key',
      TABCAST_S3_SECRET_ACCESS_KEY: 'secret'
    })
    t.throws(() => assertResultSpace(config, testJob('job_1')), { name: 'NoResultSpace' })
    t.ok(isDiskShort(config))
  })
