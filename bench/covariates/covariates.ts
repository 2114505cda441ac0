import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import type { Preset } from '../../src/domain/forecast-spec.ts'
import type { Bench, BenchOptions } from '../bench.ts'
import { panelPath } from '../data.ts'
import { preparePython, runPython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { describeGain, type Score } from './describe.ts'
import { originsOf, sets, type CovariateSet } from './sets.ts'

/**
 * Each preset with and without covariates at rolling origins, through HTTP: the same Parquet up, with the columns named
 * or not.
 */
export const benchCovariates: Bench = async (options) => {
  const { trial, folder, log } = options
  const python = preparePython(log)
  const chosen = trial ? sets.filter(({ file }) => file.startsWith('walmart')) : sets
  for (const set of chosen) {
    const cut = [set.horizon, set.origins, set.stride].map(String)
    const found = await runPython(python, [join('bench', 'covariates', 'cut_origins.py'), panelPath(set.file), ...cut,
      set.covariates.join(','), join(folder, set.file)])
    log(`${set.title}: ${JSON.stringify(found)}`)
  }
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js') })
  const rows: Measurement[] = []
  try {
    const client = new ForecastClient({ baseUrl: service.baseUrl, key: await service.createKey('bench') })
    for (const set of chosen) {
      for (const preset of set.presets) {
        const plain = await score({ client, set, preset, covariates: [], name: `${preset}-plain`, python, options })
        const informed = await score({
          client,
          set,
          preset,
          covariates: set.covariates,
          name: `${preset}-informed`,
          python,
          options
        })
        rows.push(...describeGain(set, preset, informed, plain))
      }
    }
    return rows
  } catch (error) {
    log(`the end of the service's log:\n${service.logTail(20)}`)
    throw error
  } finally {
    await service.stop()
  }
}

interface Asked {
  client: ForecastClient
  set: CovariateSet
  preset: Preset
  covariates: string[]
  /** Of the forecasts' files. */
  name: string
  python: string
  options: BenchOptions
}

/** Forecasts the preset's origins, one job at a time. */
async function score (
  { client, set, preset, covariates, name, python, options: { folder, log } }: Asked
): Promise<Score> {
  let seconds = 0
  const origins = originsOf(set, preset)
  for (const origin of origins) {
    const at = join(folder, set.file, String(origin))
    const body = await openAsBlob(join(at, 'train.parquet'))
    const startMs = performance.now()
    const job = await client.submit({ filename: 'train.parquet', body }, {
      prediction_length: String(set.horizon),
      presets: preset,
      freq: set.freq,
      quantile_column_style: 'raw',
      ...(covariates.length > 0 ? { covariates: covariates.join(',') } : {})
    })
    await client.waitForForecast(job.job_id)
    seconds += (performance.now() - startMs) / 1000
    await writeFile(join(at, `${name}.csv`), await client.downloadCsv(job.job_id))
  }
  const scores = await runPython<Record<string, Omit<Score, 'seconds'>>>(python, [
    join('bench', 'covariates', 'score.py'),
    join(folder, set.file),
    origins.join(','),
    String(set.season),
    name
  ])
  const measured = scores[name]
  if (measured === undefined) throw new Error(`${name} was not scored`)
  const found = { ...measured, seconds: seconds / origins.length }
  log(
    `${set.title}, ${preset}, ${covariates.length > 0 ? covariates.join(' ') : 'no covariates'}: ${
      JSON.stringify(found)
    }`
  )
  return found
}
