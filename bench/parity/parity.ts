import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { dataSetPath } from '../data.ts'
import { namePeer, preparePython } from '../peers/python.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

const sets = [
  { name: 'yearly', data: 'm4_yearly_train', season: 1, series: 250 },
  { name: 'quarterly', data: 'm4_quarterly_train', season: 4, series: 250 },
  { name: 'monthly', data: 'm4_monthly_holdout_train', season: 12, series: 250 }
] as const

const families = [
  { model: 'auto_ets', peer: 'ets', fits: 'every form' },
  { model: 'ces', peer: 'ces', fits: 'every form' },
  { model: 'dotm', peer: 'dotm', fits: 'without seasonal adjustment' },
  { model: 'arima', peer: 'arima', fits: 'the order of AutoARIMA' }
] as const

/** AutoARIMA takes seconds for a monthly series. */
const mostSeriesOfArima = { yearly: 250, quarterly: 250, monthly: 100 } as const

interface Comparison {
  fitted: boolean
  admissible: boolean
  /** Our log-likelihood at the optimum of the search less ours at the peer's parameters. */
  gain: number | null
}

/** How often the search of a model reaches a likelihood like the peer's, both in our likelihood function. */
export const benchParity: Bench = async ({ trial, folder, log }) => {
  const run = promisify(execFile)
  const python = preparePython(log)
  const compare = buildExample('tabcast-models', 'likelihood')
  const rows: Measurement[] = []
  for (const { name, data, season, series } of sets) {
    for (const { model, peer, fits } of families) {
      const count = trial ? 4 : peer === 'arima' ? mostSeriesOfArima[name] : series
      const [path, fitted] = [join(folder, `${name}.${count}.txt`), join(folder, `${name}.${peer}.txt`)]
      await run(python, [join('bench', 'peers', 'sample_series.py'), dataSetPath(data), String(season), String(season),
        String(count), path])
      await run(python, [join('bench', 'peers', 'statsforecast_likelihood.py'), path, peer, fitted], {
        env: { ...process.env, OMP_NUM_THREADS: '1' }
      })
      const { stdout } = await run(compare, [fitted], { maxBuffer: 2 ** 28 })
      const all = stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Comparison)
      // A fit of the peer outside our region, or with forecasts that have no likelihood, is none that a search could
      // reach.
      const inside = all.filter(({ admissible }) => admissible)
      const reached = inside.filter(({ gain }) => gain !== null && gain >= -1e-3)
      log(`${name}, ${model}: ${reached.length} of ${inside.length} inside the region, ${all.length} in all`)
      rows.push({
        what:
          `${model}: ${inside.length.toLocaleString('en')} of ${all.length.toLocaleString('en')} fits of ${
            namePeer('statsforecast')
          } ` +
          `to ${count} M4 ${name} series, ${fits}, which lie in our region; log-likelihood at least theirs less 0.001`,
        figure: 100 * reached.length / inside.length,
        unit: '% of the fits',
        gate: { atLeast: 99 }
      })
    }
  }
  return rows
}
