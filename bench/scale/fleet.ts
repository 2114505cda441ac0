import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { ulid } from 'ulid'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import { connectQueue, startEmbeddedServer } from '../../src/platform/queue/index.ts'
import { ShardList } from '../../src/worker/shards/shard-list.ts'
import { ShardOffers } from '../../src/worker/shards/shard-offers.ts'
import { testJob } from '../../test/support/job-message.ts'
import { until } from '../../test/support/until.ts'
import type { BenchOptions } from '../bench.ts'
import { usedByProcess } from '../http/service-processes.ts'
import type { Measurement } from '../result.ts'

const log = pino({ level: 'silent' })
const limitMs = 120_000

/**
 * A run that gives shards to a thousand workers, with a real queue server and a real api. The workers say all that real
 * ones say and compute nothing, so what is left is the cost of giving shards away.
 */
export async function measureFleet ({ trial, folder, log: print }: BenchOptions): Promise<Measurement[]> {
  const [workers, shards] = trial ? [20, 200] : [1_000, 10_000]
  const queueFolder = join(folder, 'fleet', 'queue')
  mkdirSync(queueFolder, { recursive: true })
  const server = await startEmbeddedServer({ folder: queueFolder, binary: '', log })
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TABCAST_'))),
    ...{ TABCAST_NATS_URL: server.url, TABCAST_NATS_TOKEN: server.token },
    ...{ TABCAST_DATA_DIR: join(folder, 'fleet', 'data'), TABCAST_PORT: String(await findFreePort()) }
  }
  const api = spawn(process.execPath, [join('dist', 'cli.js'), 'api'], { env, stdio: 'ignore' })
  const queue = connectQueue({ url: server.url, token: server.token, name: 'run', log })
  try {
    await queue.ready(30_000)
    await until('the streams', async () => await queue.shardCounts().then(() => true, () => false), limitMs)
    const fleet = spawn(process.execPath, [join('.cache', 'bench', 'bench', 'scale', 'fleet-process.js'), server.url,
      server.token, String(workers)], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(fleet.stdout, 'data')
    const list = new ShardList(shards, new Set())
    const job = testJob(`job_${ulid()}`)
    const offers = new ShardOffers({
      ...{ queue, job, run: ulid(), plan: { prefix: `t/${job.jobId}/plan/`, sha256: '' }, shards: list },
      ...{ budgetEndMs: performance.now() + 3_600_000, budgetSeconds: () => 60, log }
    })
    const cpuMs = (): number => usedByProcess(api.pid as number).get(api.pid as number)?.cpuMs ?? NaN
    const [startMs, before] = [performance.now(), cpuMs()]
    offers.start((shard) => list.isDoneNow(shard))
    await until('all shards', () => list.isDone, limitMs)
    const tookMs = performance.now() - startMs
    const busy = (cpuMs() - before) / tookMs
    print(`${shards} shards in ${tookMs} ms`)
    await offers.stop(true)
    fleet.stdin.end()
    fleet.kill()
    const what = `${workers.toLocaleString('en')} workers that compute nothing, ${shards.toLocaleString('en')} shards`
    return [
      {
        what: `${what}: shards given away and done`,
        figure: shards / (tookMs / 1000),
        unit: 'shards/s',
        gate: { atLeast: 2_000 },
        aim: { atLeast: 5_000 }
      },
      { what: `${what}: the api meanwhile`, figure: busy, unit: 'cores', gate: { below: 1 } }
    ]
  } finally {
    api.kill()
    await queue.close()
    await server.stop()
  }
}
