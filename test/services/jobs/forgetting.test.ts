import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { ulid } from 'ulid'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { jobPrefix } from '../../../src/platform/store/keys.ts'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { JobLedger } from '../../../src/services/jobs/job-ledger.ts'
import { Sweeper } from '../../../src/services/jobs/sweeper.ts'
import { jobTables, type SweepEntry, type Tombstone } from '../../../src/services/jobs/tables.ts'

/* What stays of deleted jobs, when they are deleted faster than one batch of a sweep takes. */

const dayMs = 86_400_000

t.test('tombstones and sweeps of deleted jobs go as fast as they come', async (t) => {
  const folder = t.testdir({})
  const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: jobTables })
  t.teardown(() => metadata.close())
  const store = await openStore({ driver: 'local', root: join(folder, 'objects'), signingSecret: Buffer.alloc(32, 7) })
  const nowMs = Date.now()
  const ledger = new JobLedger(metadata, {
    attempts: { slotDeaths: 3, lostWorkers: 10 },
    retentionMs: () => 3_600_000,
    now: () => nowMs
  })
  const sweeper = new Sweeper({
    ledger,
    store,
    keptKey: () => undefined,
    onGone: async () => undefined,
    log: pino({ level: 'silent' })
  })
  const tombstones = metadata.table<Tombstone>('tombstones')
  const sweeps = metadata.table<SweepEntry>('sweeps')

  const idAt = (ms: number) => `job_${ulid(ms)}`
  // Made long ago and deleted just now, these stand before all others.
  const longLived = Array.from({ length: 600 }, (_one, at) => idAt(nowMs - 3 * dayMs + at))
  const old = Array.from({ length: 1300 }, (_one, at) => idAt(nowMs - 2 * dayMs + at))
  const young = [idAt(nowMs - 1000)]
  await metadata.transact((tx) => {
    for (const [ids, deletedAtMs] of [[longLived, nowMs - 1000], [old, nowMs - dayMs - 1000], [young,
      nowMs]] as const) {
      for (const jobId of ids) tx.put(tombstones, [jobId], { tenant: 'acme', deletedAtMs })
    }
    for (const jobId of old) tx.put(sweeps, [nowMs - 1000, jobPrefix('acme', jobId)], { keepRun: null })
  })
  await store.putBytes(`${jobPrefix('acme', old.at(-1) ?? '')}input`, Buffer.from('a'))
  await sweeper.run()
  t.equal(sweeps.count(), 0)
  t.strictSame([...tombstones.range()].map(({ key: [jobId] }) => jobId), [...longLived, ...young],
    'one goes a day after the deletion, whatever stands before it')
  t.equal(await store.stat(`${jobPrefix('acme', old.at(-1) ?? '')}input`), undefined)
})
