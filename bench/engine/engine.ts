import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forecast } from '../../src/engine/index.ts'
import type { ForecastSpec, Preset } from '../../src/queue/messages.ts'
import type { Bench } from '../bench.ts'
import { generatePanel } from '../panel.ts'
import { namePeer, preparePython, runPython } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'

const horizon = 18
const length = 120
const limits = { maxRows: 1e7, maxColumns: 10, maxSeries: 1e5, maxCellChars: 100, maxForecastPoints: 1e7 }

/** One thread each on the same file: CPU seconds of the addon's forecast against statsforecast with the same families of models. */
export const benchEngine: Bench = async ({ trial, folder, log }) => {
  const python = preparePython(log)
  const series = trial ? 20 : 500
  const inputPath = join(folder, 'panel.csv')
  await pipeline(Readable.from(generatePanel({ series, length, step: 'month', seasonLength: 12 })), createWriteStream(inputPath))

  log(`statsforecast, ${series} series`)
  const peer = await runPython<{ cpu_seconds: number, series: number }>(
    python, [join('bench', 'peers', 'statsforecast_fit.py'), inputPath, String(horizon), 'MS', '12'], { OMP_NUM_THREADS: '1' }
  )
  const rows: Measurement[] = []
  for (const preset of ['fast', 'balanced', 'best'] as const) {
    log(`tabcast ${preset}`)
    const seconds = await forecastCpuSeconds(inputPath, folder, preset)
    rows.push(comparison({
      what: `${preset}: ${series} monthly series of ${length} points, horizon ${horizon}, 9 quantiles, file to file, one thread`,
      figure: seconds / series * 1000,
      unit: 'CPU ms a series',
      peer: { name: `${namePeer('statsforecast')} (SeasonalNaive, RandomWalkWithDrift, AutoETS, DynamicOptimizedTheta), without reading`, figure: peer.cpu_seconds / peer.series * 1000 }
    }))
  }
  return rows
}

async function forecastCpuSeconds (inputPath: string, folder: string, preset: Preset): Promise<number> {
  const spec: ForecastSpec = {
    predictionLength: horizon,
    preset,
    columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
    freq: 'MS',
    quantileLevels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    timestampFormat: 'pandas',
    quantileColumnStyle: 'raw'
  }
  const before = process.cpuUsage()
  await forecast({
    inputPath,
    format: 'csv',
    spec,
    limits,
    threads: 1,
    parquetPath: join(folder, `${preset}.parquet`),
    csvPath: join(folder, `${preset}.csv`),
    maxCsvBytes: 1e9,
    reportPath: join(folder, `${preset}.report.json`),
    budgetSeconds: 3600
  })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
