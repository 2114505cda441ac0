import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ForecastClient } from '../../src/demo/forecast-client.ts'
import { startPrivateService } from '../../src/demo/private-service.ts'
import type { Bench } from '../bench.ts'
import { preparePython, runPython } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'

/** Season lengths are those by which the competition scaled its errors. */
const sets = [
  { name: 'hourly', horizon: 48, season: 24 },
  { name: 'weekly', horizon: 13, season: 1 },
  { name: 'yearly', horizon: 6, season: 1 }
]

interface Score { smape: number, mase: number, owa: number }
interface Report { series: number, forecast: Score, seasonal_naive: Score, naive2: Score }

/** M4 through HTTP with the default preset: Parquet up, CSV down, scored as the competition scored. */
export const benchAccuracy: Bench = async ({ trial, folder, log }) => {
  const data = process.env['TABCAST_BENCH_DATA']
  if (!data) {
    throw new Error('TABCAST_BENCH_DATA must name the folder with ts/m4_{hourly,weekly,yearly}_{train,test}.parquet (bench/README.md says where the data come from)')
  }
  const python = preparePython(log)
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js') })
  const rows: Measurement[] = []
  try {
    const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('bench') })
    for (const { name, horizon, season } of trial ? sets.slice(1, 2) : sets) {
      const trainPath = join(data, 'ts', `m4_${name}_train.parquet`)
      const testPath = join(data, 'ts', `m4_${name}_test.parquet`)
      const startMs = performance.now()
      const job = await client.submit({ filename: `m4_${name}.parquet`, body: await openAsBlob(trainPath) }, { prediction_length: String(horizon) })
      await client.waitForForecast(job.job_id)
      const seconds = (performance.now() - startMs) / 1000
      const forecastPath = join(folder, `${name}.csv`)
      await writeFile(forecastPath, await client.downloadCsv(job.job_id))
      const report = await runPython<Report>(python, [join('bench', 'accuracy', 'score.py'), trainPath, testPath, forecastPath, String(season)])
      log(`${name}: ${report.series} series in ${seconds.toFixed(1)} s, OWA ${report.forecast.owa.toFixed(3)}`)
      rows.push(...describe(name, report, seconds))
    }
    return rows
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    await service.stop()
  }
}

function describe (name: string, report: Report, seconds: number): Measurement[] {
  const what = `M4 ${name}, ${report.series.toLocaleString('en')} series, default preset`
  const peer = (measure: keyof Score) => ({ name: 'seasonal naive', figure: report.seasonal_naive[measure] })
  return [
    { what: `${what}: submit to completed`, figure: seconds, unit: 's' },
    comparison({ what: `${what}: sMAPE`, figure: report.forecast.smape, unit: '%', peer: peer('smape') }),
    comparison({ what: `${what}: MASE`, figure: report.forecast.mase, unit: '', peer: peer('mase') }),
    // Naive2 is 1 by the definition of OWA; better than seasonal naive means a ratio below 1.
    { ...comparison({ what: `${what}: OWA (Naive2 = 1)`, figure: report.forecast.owa, unit: '', peer: peer('owa') }), gate: { below: 1 } }
  ]
}
