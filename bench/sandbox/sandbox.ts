import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { generateTable } from '../../test/support/generate-table.ts'
import type { Bench } from '../bench.ts'
import { buildForm, LoadClient, type Form } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import { comparison, type Measurement } from '../result.ts'

const program = fileURLToPath(new URL('visitors-process.js', import.meta.url))
const perMinute = 1_000
const readPauseMs = 20
const jobPauseMs = 500

type Wish = 'forecast' | 'classify'
interface Latencies {
  reads: number[]
  jobs: number[]
}

/**
 * What 1,000 visitors of the sandbox a minute cost a tenant: phases with and without them alternate. First they ask for
 * forecasts, which are short; then for classes of tables that take long, and the tenant for those of a small one, which
 * needs the same slot. No captcha and an address each, so that
 * nothing stops them but what a captcha farm would meet; all else has its defaults.
 */
export const benchSandbox: Bench = async ({ trial, folder, log }) => {
  const settings = {
    TABCAST_SANDBOX_ENABLED: 'true',
    TABCAST_SANDBOX_CAPTCHA: 'none',
    TABCAST_TRUST_PROXY: 'true',
    TABCAST_MAX_CONNECTIONS_PER_ADDRESS: '1000'
  }
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js'), settings })
  const visitorsKey = await service.createKey(null)
  const tenant = new LoadClient(service.baseUrl, await service.createKey('acme'))
  const [alone, together]: [Latencies, Latencies] = [{ reads: [], jobs: [] }, { reads: [], jobs: [] }]
  const [tablesAlone, tablesTogether]: [number[], number[]] = [[], []]
  const statuses = new Map<number, number>()
  try {
    const form = buildForm({ prediction_length: '12', presets: 'fast' },
      generatePanel({ series: 1, length: 60, step: 'day', seasonLength: 7 }))
    const table = buildForm({ label_column: 'label' }, generateTable({ rows: 200, columns: 5, classes: 2 }))
    const seconds = trial ? 8 : 30
    const rounds = trial ? 1 : 4
    const visited = async (wish: Wish, during: () => Promise<void>) => {
      for (const [status, count] of await visit(service.baseUrl, visitorsKey, wish, during)) {
        statuses.set(status, (statuses.get(status) ?? 0) + count)
      }
    }
    await measureTenant(tenant, form, trial ? 2 : 10)
    await measureTables(tenant, table, trial ? 2 : 10)
    // The first answers of each kind have their writers compiled; a service that has been up for a minute has them.
    await visit(service.baseUrl, visitorsKey, 'forecast', async () => await sleep(3_000))
    for (let round = 0; round < rounds; round++) {
      log(`round ${round + 1}`)
      add(alone, await measureTenant(tenant, form, seconds))
      await visited('forecast', async () => add(together, await measureTenant(tenant, form, seconds)))
    }
    for (let round = 0; round < rounds; round++) {
      log(`round ${round + 1}, of tables`)
      tablesAlone.push(...await measureTables(tenant, table, seconds))
      await visited('classify', async () => {
        tablesTogether.push(...await measureTables(tenant, table, seconds))
      })
    }
    log(`visitors were answered ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
    log(`${tablesAlone.length} tables without visitors, ${tablesTogether.length} with them`)
    return [
      row("a tenant's GET /jobs/{id}, p99", 0.99, alone.reads, together.reads),
      row("a tenant's small forecast from its post to its end, p99", 0.99, alone.jobs, together.jobs),
      row("a tenant's small classification, one after the other, from its post to its end, median", 0.5, tablesAlone,
        tablesTogether),
      { what: 'jobs of visitors that were taken meanwhile', figure: statuses.get(202) ?? 0, unit: 'jobs' }
    ]
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    tenant.close()
    await service.stop()
  }
}

/** Reads of one job and small jobs one after the other, at a steady pace, for so long; milliseconds of each. */
async function measureTenant (client: LoadClient, form: Form, seconds: number): Promise<Latencies> {
  const jobId = await client.forecast(form)
  const endMs = performance.now() + seconds * 1000
  const paced = async (work: () => Promise<unknown>, pauseMs: number): Promise<number[]> => {
    const samples: number[] = []
    while (performance.now() < endMs) {
      const startMs = performance.now()
      await work()
      samples.push(performance.now() - startMs)
      await sleep(Math.max(0, pauseMs - (performance.now() - startMs)))
    }
    return samples
  }
  const [reads, jobs] = await Promise.all([paced(async () => await client.status(jobId), readPauseMs),
    paced(async () => await client.forecast(form), jobPauseMs)])
  return { reads, jobs }
}

/** Classifications of one small table, one after the other, for so long; milliseconds of each. */
async function measureTables (client: LoadClient, table: Form, seconds: number): Promise<number[]> {
  const endMs = performance.now() + seconds * 1000
  const samples: number[] = []
  while (performance.now() < endMs) {
    const startMs = performance.now()
    await client.run(table, '/v2/classify')
    samples.push(performance.now() - startMs)
  }
  return samples
}

/**
 * Visitors come while `during` runs; how often they were answered with which status. Their client stands for others'
 * machines, so it has what is left of this one.
 */
async function visit (baseUrl: string, key: string, wish: Wish,
  during: () => Promise<void>): Promise<Array<[number, number]>> {
  const child = spawn(process.execPath, [program, baseUrl, key, String(perMinute), wish], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW)
  const printed = text(child.stdout)
  try {
    await sleep(1_000)
    await during()
  } finally {
    child.stdin.end()
  }
  const statuses = JSON.parse(await printed) as Record<string, number>
  return Object.entries(statuses).map(([status, count]) => [Number(status), count])
}

function add (to: Latencies, more: Latencies): void {
  to.reads.push(...more.reads)
  to.jobs.push(...more.jobs)
}

function row (what: string, share: number, alone: number[], together: number[]): Measurement {
  return {
    ...comparison({
      what: `${what}, while ${perMinute} visitors a minute use the sandbox`,
      figure: quantile(together, share),
      unit: 'ms',
      peer: { name: 'without them', figure: quantile(alone, share) }
    }),
    gate: { atMost: 1.5 }
  }
}
