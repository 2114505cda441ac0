import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { inShards, killStorm, shardSettings } from './kill-storm.ts'

const jobs = Number(process.env['FAULT_SHARDED_JOBS'] ?? 12)
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)

t.test(`${jobs} jobs in shards survive random kills of worker, slot, queue and api (FAULT_SEED=${seed})`, {
  timeout: 0
}, async (t) => {
  const service = await startService({
    TABCAST_WORKERS: '2',
    TABCAST_SLOTS: '2',
    TABCAST_SLOT_THREADS: '1',
    ...shardSettings,
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
  const report = await killStorm(service, { jobs, seed, clients: 3, pauseMs: 1_000, thinkMs: 100, work: inShards })
  t.comment(JSON.stringify(report))
  t.ok(service.log().includes('forecast in shards'))
  t.comment(`${service.log().split('going on from an earlier plan').length - 1} runs went on from an earlier plan`)
  t.equal(report.completed, jobs)
  t.strictSame(report.lost, [], 'none lost')
  t.strictSame(report.doubled, [], 'none doubled')
  t.strictSame(report.wrong, [], 'every result has the bytes of an undisturbed run')
  await until('no shards in the store', () => {
    const names = readdirSync(join(service.folder, 'data', 'objects'), { recursive: true }) as string[]
    return names.every((name) => !name.includes('/shards/'))
  })
})
