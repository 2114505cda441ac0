import { join } from 'node:path'
import type { Preset } from '../../src/domain/forecast-spec.ts'
import { forecast } from '../../src/engine/index.ts'

const limits = {
  maxRows: 1e7,
  maxColumns: 10,
  maxSeries: 1e5,
  maxCellChars: 100,
  maxForecastPoints: 1e7,
  maxOutputBytes: 1e10
}

interface FileForecast {
  /** Monthly CSV. */
  inputPath: string
  /** Gets the outputs. */
  folder: string
  preset: Preset
  horizon: number
  threads: number
}

/** Calls the addon as a slot process does, with 9 quantiles. */
export async function forecastFile ({ inputPath, folder, preset, horizon, threads }: FileForecast): Promise<void> {
  await forecast({
    inputPaths: [inputPath],
    format: 'csv',
    compression: null,
    spec: {
      predictionLength: horizon,
      preset,
      columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
      freq: 'MS',
      quantileLevels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      timestampFormat: 'pandas',
      quantileColumnStyle: 'raw'
    },
    limits,
    threads,
    parquetPath: join(folder, `${preset}.parquet`),
    csvPath: join(folder, `${preset}.csv`),
    maxCsvBytes: 1e9,
    reportPath: join(folder, `${preset}.report.json`),
    budgetSeconds: 3600
  })
}
