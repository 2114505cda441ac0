import { openAsBlob, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import type { BenchOptions } from '../bench.ts'
import { preparePanel } from '../engine/many-series.ts'
import { comparison, type Measurement } from '../result.ts'

/** The same job on one worker and on two, each with one slot of one thread: how much of the second one it uses. */
export async function measureWorkers ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const series = trial ? 10_000 : 1_000_000
  const file = await preparePanel(python, series, log)
  const seconds: number[] = []
  for (const workers of [1, 2]) {
    const took = await timeJob(join(folder, `${workers}-workers`), workers, file, trial)
    log(`${workers} workers: ${took} s`)
    seconds.push(took)
  }
  const [one = NaN, two = NaN] = seconds
  return [{
    ...comparison({
      what:
        `fast: ${series.toLocaleString('en')} monthly series of 60 points, submit to completed, on two workers of ` +
        'one thread, of twice the speed of one',
      figure: one / two,
      unit: 'times as fast',
      peer: { name: 'twice one worker', figure: 2 }
    }),
    gate: { atLeast: 0.85 },
    aim: { atLeast: 0.95 }
  }, {
    what: 'the same job on one worker of one thread, submit to completed',
    figure: one,
    unit: 's'
  }]
}

async function timeJob (folder: string, workers: number, file: string, trial: boolean): Promise<number> {
  const service = await startPrivateService({
    folder,
    command: join('dist', 'cli.js'),
    settings: {
      TABCAST_WORKERS: String(workers),
      TABCAST_SLOTS: '1',
      TABCAST_SLOT_THREADS: '1',
      // A small panel has shards too.
      ...trial ? { TABCAST_SHARD_SECONDS: '0.2' } : {}
    }
  })
  try {
    const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('bench') })
    const body = await openAsBlob(file)
    const startMs = performance.now()
    const { job_id: jobId } = await client.submit({ filename: 'panel.parquet', body }, {
      prediction_length: '12',
      presets: 'fast'
    })
    await client.waitForForecast(jobId)
    const took = (performance.now() - startMs) / 1000
    const isShared = readFileSync(join(folder, 'service.log'), 'utf8').includes('part of a shard stored')
    if (isShared !== workers > 1) throw new Error(`with ${workers} workers, others computed shards: ${isShared}`)
    return took
  } finally {
    await service.stop()
  }
}
