import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import type { Preset } from '../../src/domain/forecast-spec.ts'
import type { Bench, BenchOptions } from '../bench.ts'
import { dataSetPath } from '../data.ts'
import { preparePython, runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { describe, type Report } from './describe.ts'
import { forecastPeers } from './peer-forecasts.ts'
import { sets, type AccuracySet } from './sets.ts'

const presets: Preset[] = ['fast', 'balanced', 'best']
const quantileLevels = '0.025,0.1,0.5,0.9,0.975'

/** Public series through HTTP: Parquet up, CSV down, scored as the M4 competition scored. */
export const benchAccuracy: Bench = async (options) => {
  const { trial, folder, log } = options
  const python = preparePython(log)
  // Weekly has few series and one peer, monthly all that there is to test.
  const chosen = trial ? sets.filter(({ file }) => ['m4_weekly', 'm4_monthly_holdout'].includes(file)) : sets
  const forecasts = await forecastSets(options, chosen)
  const rows: Measurement[] = []
  // The service has stopped: it does not share the processor with the peers.
  for (const set of chosen) {
    const trainPath = dataSetPath(`${set.file}_train`)
    const { horizon, season, peers: models } = set
    const peersPath = await forecastPeers({
      python,
      trainPath,
      horizon,
      season,
      models,
      log,
      sample: trial ? 5 : set.sample
    })
    for (const { preset, seconds } of forecasts.filter(({ file }) => file === set.file)) {
      const report = await runPython<Report>(python, [
        join('bench', 'accuracy', 'score.py'),
        trainPath,
        dataSetPath(`${set.file}_test`),
        csvPath(folder, set.file, preset),
        String(season),
        peersPath
      ])
      rows.push(...describe(set, preset, report, seconds))
    }
  }
  return rows
}

interface ForecastTime {
  file: string
  preset: Preset
  seconds: number
}

/** Forecasts each set with each preset, one job at a time; the tables are in the folder afterwards. */
async function forecastSets ({ trial, folder, log }: BenchOptions, wanted: AccuracySet[]): Promise<ForecastTime[]> {
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js') })
  const times: ForecastTime[] = []
  try {
    const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('bench') })
    for (const { file, horizon } of wanted) {
      for (const preset of trial ? presets.slice(0, 2) : presets) {
        const body = await openAsBlob(dataSetPath(`${file}_train`))
        const startMs = performance.now()
        const job = await client.submit({ filename: `${file}.parquet`, body }, {
          prediction_length: String(horizon),
          presets: preset,
          quantile_levels: quantileLevels,
          quantile_column_style: 'raw'
        })
        await client.waitForForecast(job.job_id)
        const seconds = (performance.now() - startMs) / 1000
        await writeFile(csvPath(folder, file, preset), await client.downloadCsv(job.job_id))
        log(`${file}, ${preset}: ${seconds.toFixed(1)} s`)
        times.push({ file, preset, seconds })
      }
    }
    return times
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    await service.stop()
  }
}

function csvPath (folder: string, file: string, preset: Preset): string {
  return join(folder, `${file}.${preset}.csv`)
}
