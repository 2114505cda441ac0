import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from 'ulid'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import { recordTables } from '../../src/commands/record-tables.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import type { JobRecord } from '../../src/services/jobs/job-record.ts'
import { isRunning } from '../../test/support/processes.ts'
import type { BenchOptions } from '../bench.ts'
import { findChildProcess } from '../http/service-processes.ts'
import { generatePanel } from '../panel.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'

const command = join('dist', 'cli.js')
const group = 10_000

/** How long a new api process takes until it answers, with a million jobs on record. */
export async function measureRestart ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const records = trial ? 2 * group : 1_000_000
  await makeOneJob(folder)
  log(`writing ${records.toLocaleString('en')} records`)
  await multiply(join(folder, 'data', 'metadata'), records)
  const service = await startPrivateService({ folder, command })
  try {
    const asked = async (signal: NodeJS.Signals): Promise<number> => {
      const old = findChildProcess(service.pid, 'api')
      process.kill(old, signal)
      while (isRunning(old)) await sleep(5)
      const startMs = performance.now()
      await untilHealthy(service.baseUrl)
      return (performance.now() - startMs) / 1000
    }
    const graceful: number[] = []
    for (let round = 0; round < 3; round++) graceful.push(await asked('SIGTERM'))
    const killed = await asked('SIGKILL')
    const what = `api with ${records.toLocaleString('en')} jobs on record`
    return [
      {
        what: `${what}: from the end of the process before to healthy`,
        figure: median(graceful),
        unit: 's',
        gate: { atMost: 2 }
      },
      { what: `${what}: the same after it was killed, when all of the record is read`, figure: killed, unit: 's' }
    ]
  } finally {
    await service.stop()
  }
}

/** A folder with the record of a completed job. */
async function makeOneJob (folder: string): Promise<void> {
  const service = await startPrivateService({ folder, command })
  try {
    const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('bench') })
    const csv = [...generatePanel({ series: 3, length: 60, step: 'month', seasonLength: 12 })].join('')
    const job = await client.submit({ filename: 'data.csv', body: new Blob([csv]) }, { prediction_length: '12' })
    await client.waitForForecast(job.job_id)
  } finally {
    await service.stop()
  }
}

/** Copies of the job under other ids, as many as that. */
async function multiply (path: string, records: number): Promise<void> {
  const store = await openMetadata({ path, tables: recordTables })
  const jobs = store.table<JobRecord>('jobs')
  const expiry = store.table<{ tenant: string }>('expiry')
  const [first] = [...jobs.range({ limit: 1 })]
  if (first === undefined) throw new Error('there is no job')
  const { tenant } = first.value
  const expiresAtMs = Date.now() + 1e9
  for (let from = 0; from < records; from += group) {
    await store.transact((tx) => {
      for (let number = from; number < from + group; number++) {
        const jobId = `job_${ulid(number + 1)}`
        tx.put(jobs, [tenant, jobId], { ...first.value, jobId, expiresAtMs })
        tx.put(expiry, [expiresAtMs, jobId], { tenant })
      }
    })
  }
  await store.close()
}

async function untilHealthy (baseUrl: string): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`${baseUrl}/health`)
      if (answer.ok) return
    } catch {
      // The kernel keeps what connects for the next process; what was connected to the last one ends.
    }
    await sleep(5)
  }
}
