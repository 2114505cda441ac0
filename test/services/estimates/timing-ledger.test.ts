import { join } from 'node:path'
import t from 'tap'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { estimateTables, TimingLedger } from '../../../src/services/estimates/timing-ledger.ts'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { forecastSpec, testSpec } from '../../support/job-message.ts'

t.test('the newest 500 jobs of a kind are known, and after a restart too', async (t) => {
  const metadata = { path: join(t.testdir({}), 'record'), tables: estimateTables }
  const spec = forecastSpec(testSpec)
  const job = (seconds: number): JobRecord => ({
    status: 'completed',
    attempt: 1,
    profile: { series: 1, rows: 100 },
    timings: { fit: seconds },
    startedAtMs: 0,
    completedAtMs: 1000 * seconds,
    spec
  } as unknown as JobRecord)
  const first = await openMetadata(metadata)
  const ledger = new TimingLedger(first)
  t.equal(ledger.meanSeconds(), undefined)
  for (let seconds = 1; seconds <= 510; seconds++) {
    await first.transact((tx) => ledger.follower.ended?.(tx, job(seconds)))
  }
  const newest = Array.from({ length: 500 }, (_, at) => 510 - at)
  const secondsOf = (one: TimingLedger): number[] => one.samples(spec.preset).map(({ seconds }) => seconds)
  t.strictSame(secondsOf(ledger), newest)
  t.equal(ledger.meanSeconds(), (11 + 510) / 2)
  t.strictSame(ledger.samples('training'), [])
  await first.close()
  const second = await openMetadata(metadata)
  t.teardown(() => second.close())
  const restarted = new TimingLedger(second)
  t.strictSame(secondsOf(restarted), newest)
  await second.transact((tx) => restarted.follower.ended?.(tx, job(511)))
  t.strictSame(secondsOf(restarted), [511, ...newest.slice(0, -1)])
})
