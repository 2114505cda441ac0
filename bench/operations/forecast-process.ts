import { join } from 'node:path'
import type { Preset } from '../../src/domain/forecast-spec.ts'
import { forecast } from '../../src/engine/index.ts'

/*
 * One forecast in a process of its own, as a slot makes it: node forecast-process.js CSV FOLDER PRESET ROWS. Prints
 * what it took as JSON.
 */
const [csv = '', folder = '', preset = ''] = process.argv.slice(2)
const before = process.resourceUsage().maxRSS
const cpu = process.cpuUsage()
await forecast({
  inputPaths: [csv],
  format: 'csv',
  compression: null,
  spec: {
    predictionLength: 28,
    preset: preset as Preset,
    columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
    freq: null,
    quantileLevels: [0.1, 0.5, 0.9],
    timestampFormat: 'pandas',
    quantileColumnStyle: 'raw'
  },
  limits: {
    maxRows: 2e8,
    maxColumns: 500,
    maxSeries: 2e6,
    maxCellChars: 32_768,
    maxForecastPoints: 5e7,
    maxOutputBytes: 2 ** 34
  },
  threads: 1,
  parquetPath: join(folder, 'forecast.parquet'),
  csvPath: join(folder, 'forecast.csv'),
  maxCsvBytes: 2e8,
  reportPath: join(folder, 'report.json'),
  budgetSeconds: 3600
})
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(
  JSON.stringify({ cpuSeconds: (user + system) / 1e6, mebibytes: (process.resourceUsage().maxRSS - before) / 1024 })
)
