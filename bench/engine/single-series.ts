import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import { median } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { forecastFile } from './forecast-file.ts'

const length = 200
const rounds = 20

/** What the engine adds to the latency of the smallest job. */
export async function measureSingleSeries ({ folder }: BenchOptions): Promise<Measurement> {
  const inputPath = join(folder, 'single.csv')
  writeFileSync(inputPath, [...generatePanel({ series: 1, length, step: 'month', seasonLength: 12 })].join(''))
  const forecast = { inputPath, folder, preset: 'balanced', horizon: 18, threads: availableParallelism() } as const
  await forecastFile(forecast)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now()
    await forecastFile(forecast)
    samples.push(performance.now() - startMs)
  }
  return {
    what: `one monthly series of ${length} points, balanced, engine only, file to file, median of ${rounds}`,
    figure: median(samples),
    unit: 'ms',
    gate: { atMost: 50 },
    aim: { atMost: 10 }
  }
}
