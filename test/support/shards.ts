import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JobResult } from '../../src/domain/job-result.ts'
import { decodeResult } from '../../src/platform/queue/index.ts'
import { resultKey } from '../../src/platform/store/keys.ts'
import { ulid } from 'ulid'
import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { csv, series } from './csv.ts'
import { testSpec } from './job-message.ts'
import { isRunning } from './processes.ts'
import { until } from './until.ts'
import { go, type TestBench, type TestWorker } from './worker.ts'

/** Shards of a few series. */
export const sharded = { TABCAST_SHARD_SECONDS: '0.005' }

export function waves (count: number): string {
  return csv(
    Array.from({ length: count }, (_, n) =>
      series({
        item: `s${String(n).padStart(4, '0')}`,
        length: 400,
        value: (step) => 100 + n + 10 * Math.sin(step / (3 + n % 5)) + n * step % 7
      })).flat()
  )
}

/** What a run has stored, but for times: its result, and the bytes of its files by name. */
export async function resultOf (bench: TestBench, jobId: string,
  run: string): Promise<{ whole: JobResult, result: Partial<JobResult>, files: Record<string, string> }> {
  const prefix = `acme/${jobId}/${run}/`
  const result = decodeResult(await bench.store.getBytes(resultKey(`acme/${jobId}/`, run), 1_000_000))
  const files: Record<string, string> = {}
  for (const { name, sha256 } of result.files) {
    const bytes = Buffer.from(await bench.store.getBytes(prefix + name, 100_000_000))
    files[name] = name.endsWith('.html') ? withoutTimes(bytes.toString()) : sha256
  }
  const { timings, jobId: _job, run: _run, files: _files, ...rest } = result
  const stages = Object.fromEntries(Object.keys(timings).sort().map((stage) => [stage, 0]))
  return { whole: result, result: { ...rest, timings: stages }, files }
}

function withoutTimes (page: string): string {
  return page.replaceAll(/<td class="number">[^<]*s</gu, '')
}

/** Waits until nothing of the shards of a job is left in store, stream and scratch. */
export async function leftOf (bench: TestBench, jobId: string): Promise<void> {
  await until('no shards in the store', async () => {
    for await (const { key } of bench.store.list(`acme/${jobId}/`)) {
      if (key.includes('/shards/')) return false
    }
    return true
  })
  await until('no shards in the stream', async () => (await bench.queue.streamState()).shardMessages === 0)
  const scratch = join(bench.objects, '..', 'scratch')
  await until('no files in scratch', () => {
    return readdirSync(scratch).every((worker) => {
      const folder = join(scratch, worker)
      // What a dead worker has left goes at the next start of one.
      return !isRunning(Number(worker.split('.').at(-1))) || !existsSync(folder) ||
        readdirSync(folder).every((name) => name.startsWith('plan-'))
    })
  })
}

/** How many shards a worker has logged for the job; undefined: it was computed in one piece. */
export function shardsOf (workers: readonly TestWorker[], jobId: string): number | undefined {
  for (const worker of workers) {
    const line = worker.log().split('\n').find((line) => line.includes('forecast in shards') && line.includes(jobId))
    if (line !== undefined) return (JSON.parse(line) as { shards: number }).shards
  }
  return undefined
}

/** Enough shards of a few hundredths of a second that a fault meets a run between its first part and its last. */
export const manyShards = { csv: waves(400), spec: { ...testSpec, predictionLength: 14 } }

/** The keys of a job's objects after its prefix. */
export async function keysOf (bench: TestBench, jobId: string): Promise<string[]> {
  const prefix = `acme/${jobId}/`
  const keys: string[] = []
  for await (const { key } of bench.store.list(prefix)) keys.push(key.slice(prefix.length))
  return keys
}

/** Until at least so many shards of the job have a part in the store. */
export async function partsOf (bench: TestBench, jobId: string, count: number): Promise<void> {
  await until(`${count} parts of ${jobId}`,
    async () => (await keysOf(bench, jobId)).filter((key) => key.endsWith('/part.cbor')).length >= count)
}

/** The job in one piece: what every run of it should give. */
export async function expectedOf (bench: TestBench, { csv, spec }: { csv: string, spec: ForecastSpec }) {
  const { answer } = bench
  bench.answer = () => go
  const jobId = `job_${ulid()}`
  await bench.submit(csv, { jobId, spec }, 'large')
  const { run } = await bench.event(jobId)
  bench.answer = answer
  const { result, files } = await resultOf(bench, jobId, run)
  return { result, files }
}
