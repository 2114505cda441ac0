import t from 'tap'
import { writeResult, type Measurement } from '../../bench/result.ts'
import { startService } from '../support/service.ts'
import { inShards, killStorm, shardSettings, type StormReport } from './kill-storm.ts'

const jobs = Number(process.env['FAULT_JOBS'] ?? 80)
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
/** Many jobs come from many clients, so that a long storm is not mostly waiting. */
const clients = jobs > 1_000 ? 32 : 8
/** The jobs are computed in shards. */
const isSharded = process.env['FAULT_SHARDED'] === '1'
/** `make faults` keeps its counts in bench/results. */
const isRecorded = process.env['FAULT_RECORD'] === '1' && !isSharded

t.test(`${jobs} jobs survive random kills of worker, slot, queue and api (FAULT_SEED=${seed})`, { timeout: 0 },
  async (t) => {
    const service = await startService({
      TABCAST_WORKERS: '2',
      TABCAST_SLOTS: '2',
      TABCAST_SLOT_THREADS: '1',
      TABCAST_LEASE_MS: '2000',
      TABCAST_HEARTBEAT_MS: '300',
      TABCAST_RECONCILE_MS: '500',
      TABCAST_CLAIM_TIMEOUT_MS: '500',
      TABCAST_SWEEP_MS: '1000',
      TABCAST_MAX_SLOT_DEATHS: '20',
      TABCAST_MAX_LOST_WORKERS: '100',
      TABCAST_RATE_LIMITS: 'false',
      ...isSharded ? shardSettings : {}
    })
    t.teardown(() => service.cleanup())
    const report = await killStorm(service, {
      ...{ jobs, seed, clients, pauseMs: 2_000, thinkMs: 1_000 },
      ...isSharded ? { work: inShards } : {}
    })
    t.comment(JSON.stringify(report))
    if (isRecorded) writeResult('faults', measurements(report), `FAULT_SEED=${report.seed} make faults`)
    t.equal(report.accepted, jobs)
    t.equal(report.completed, jobs)
    t.strictSame(report.lost, [], 'none lost')
    t.strictSame(report.doubled, [], 'none doubled')
    t.strictSame(report.wrong, [], 'every result has the bytes of an undisturbed run')
  })

function measurements (report: StormReport): Measurement[] {
  const row = (what: string, figure: number, wanted?: number): Measurement => ({
    what,
    figure,
    unit: 'jobs',
    ...(wanted === undefined ? {} : { gate: { atLeast: wanted, atMost: wanted } })
  })
  return [
    row('accepted (202)', report.accepted),
    row('completed with the bytes of an undisturbed run', report.completed - report.wrong.length, report.accepted),
    row('lost', report.lost.length, 0),
    row('doubled', report.doubled.length, 0),
    row('refused with 503 and retried', report.refused),
    ...Object.entries(report.kills).map(([role, count]) => ({ ...row(`kill -9 of ${role}`, count), unit: 'kills' }))
  ]
}
