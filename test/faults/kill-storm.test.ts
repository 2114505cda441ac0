import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import t from 'tap'
import { startService } from '../support/service.ts'
import { killStorm } from './kill-storm.ts'

const jobs = Number(process.env['FAULT_JOBS'] ?? 200)
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
/** Where `make faults` keeps its counts. */
const resultFile = process.env['FAULT_RESULT']

t.test(`${jobs} jobs survive random kills of worker, slot, queue and api (FAULT_SEED=${seed})`, { timeout: 0 }, async (t) => {
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
    TABCAST_RATE_LIMITS: 'false'
  })
  t.teardown(() => service.cleanup())
  const report = await killStorm(service, { jobs, seed, clients: 8, pauseMs: 2_000, thinkMs: 1_000 })
  t.comment(JSON.stringify(report))
  if (resultFile !== undefined) writeResult(resultFile, report)
  t.equal(report.accepted, jobs)
  t.equal(report.completed, jobs)
  t.strictSame(report.lost, [], 'none lost')
  t.strictSame(report.doubled, [], 'none doubled')
  t.strictSame(report.wrong, [], 'every result has the bytes of an undisturbed run')
})

function writeResult (path: string, report: Awaited<ReturnType<typeof killStorm>>): void {
  const row = (what: string, figure: number, gate: number | null) => ({
    what, figure, unit: 'jobs', peer: null, ratio: null, gate, aim: gate, pass: gate === null ? null : figure === gate
  })
  const kills = Object.entries(report.kills).map(([role, count]) => ({ ...row(`kill -9 of ${role}`, count, null), unit: 'kills' }))
  writeFileSync(path, JSON.stringify({
    command: `FAULT_SEED=${report.seed} make faults`,
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    date: new Date().toISOString().slice(0, 10),
    rows: [
      row('accepted (202)', report.accepted, null),
      row('completed with the bytes of an undisturbed run', report.completed - report.wrong.length, report.accepted),
      row('lost', report.lost.length, 0),
      row('doubled', report.doubled.length, 0),
      row('refused with 503 and retried', report.refused, null),
      ...kills
    ]
  }, null, 2) + '\n')
}
