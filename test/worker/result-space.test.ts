import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ulid } from 'ulid'
import { abandonedStage, type GivenBackReason } from '../../src/platform/queue/job-messages.ts'
import { csv, series } from '../support/csv.ts'
import { testLimits, testSpec } from '../support/job-message.ts'
import { until } from '../support/until.ts'
import { setup } from '../support/worker.ts'

const MiB = 2 ** 20

t.test('a result that would take the reserve waits until there is space, and other jobs go on', {
  skip: process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0
    ? false
    : 'mounting a small disk needs root'
}, async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'tabcast-results-'))
  const mount = (options: string): void => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk])
  }
  mount('size=64m')
  t.teardown(() => {
    execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true })
  })
  const bench = await setup(disk)
  t.teardown(bench.cleanup)
  // Results that the api could reckon may use half of it.
  const worker = await bench.start({ TABCAST_DATA_DIR_MIN_FREE_BYTES: String(100 * MiB) })
  const submit = async (items: number, predictionLength: number): Promise<string> => {
    const jobId = `job_${ulid()}`
    const rows = Array.from({ length: items }, (_, at) => series({ item: `item-${at}`, length: 40 })).flat()
    await bench.submit(csv(rows), {
      jobId,
      outputPrefix: `acme/${jobId}/`,
      input: { key: `acme/${jobId}/input`, format: 'csv', bytes: 1 },
      spec: { ...testSpec, predictionLength },
      limits: { ...testLimits, maxCsvBytes: 64 * MiB }
    })
    return jobId
  }
  const isGivenBack = (jobId: string, reason: GivenBackReason): boolean =>
    bench.claims.some((claim) => claim.jobId === jobId && claim.givenBack === reason)
  const wasStarted = (jobId: string): boolean =>
    bench.news.some((news) => news.jobId === jobId && news.stage !== abandonedStage)

  const other = join(disk, 'other')
  writeFileSync(other, Buffer.alloc(20 * MiB))
  const small = await submit(1, 3)
  await until('it is given back', () => isGivenBack(small, 'stopping'))
  t.match(worker.log(), /NoResultSpace/)
  t.notOk(wasStarted(small), 'before it is computed')
  rmSync(other)
  t.match(await bench.event(small), { code: null })

  const large = await submit(200, 1_000)
  await until('it is given back', () => isGivenBack(large, 'in_vain'))
  t.ok(wasStarted(large), 'the size of its result is known when it was computed')
  t.match(await bench.event(await submit(1, 3)), { code: null })
  t.notOk(bench.events.some(({ jobId }) => jobId === large), 'it has not failed')
  mount('remount,size=512m')
  t.match(await bench.event(large), { code: null })
})
