import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BenchOptions } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import { namePeer, runPython } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'
import { forecastFile } from './forecast-file.ts'

const horizon = 18
const length = 120

/**
 * One thread each on the same file: CPU seconds of the addon's forecast against statsforecast with four families of
 * models.
 */
export async function measurePresetCost ({ trial, folder, log }: BenchOptions, python: string): Promise<Measurement[]> {
  const series = trial ? 20 : 500
  const inputPath = join(folder, 'panel.csv')
  await pipeline(Readable.from(generatePanel({ series, length, step: 'month', seasonLength: 12 })),
    createWriteStream(inputPath))

  log(`statsforecast, ${series} series`)
  const peer = await runPython<{ cpu_seconds: number, series: number }>(
    python,
    [join('bench', 'peers', 'statsforecast_fit.py'), inputPath, String(horizon), 'MS', '12'],
    { OMP_NUM_THREADS: '1' }
  )
  const rows: Measurement[] = []
  for (const preset of ['fast', 'balanced', 'best'] as const) {
    log(`tabcast ${preset}`)
    const before = process.cpuUsage()
    await forecastFile({ inputPath, folder, preset, horizon, threads: 1 })
    const { user, system } = process.cpuUsage(before)
    rows.push(comparison({
      what:
        `${preset}: ${series} monthly series of ${length} points, horizon ${horizon}, 9 quantiles, file to file, one ` +
        'thread',
      figure: (user + system) / 1000 / series,
      unit: 'CPU ms a series',
      peer: {
        name: `${
          namePeer('statsforecast')
        } (SeasonalNaive, RandomWalkWithDrift, AutoETS, DynamicOptimizedTheta), without reading`,
        figure: peer.cpu_seconds / peer.series * 1000
      }
    }))
  }
  return rows
}
