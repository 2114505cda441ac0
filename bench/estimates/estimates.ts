import { join } from 'node:path'
import { runCalibrateCommand } from '../../src/commands/calibrate.ts'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { ForecastClient } from '../../src/commands/forecast-client.ts'
import { panelCsv } from '../../src/services/estimates/calibration-jobs.ts'
import { uniform } from '../../test/support/random.ts'
import type { Bench } from '../bench.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'

interface MixedJob {
  panel: { series: number, length: number, covariates: number }
  horizon: number
  fields: Record<string, string>
}

interface Told {
  p50: number
  p90: number
  seconds: number
}

const jobs = 200
/** Two clients at a time, so that jobs slow each other down as they do in a deployment. */
const clients = 2

/** A service that was calibrated says how long 200 jobs of many sizes will take, and then runs them. */
export const benchEstimates: Bench = async ({ trial, folder, log }) => {
  const service = await startPrivateService({ folder, command: join('dist', 'cli.js') })
  try {
    const key = await service.createKey('bench')
    await runCalibrateCommand({ baseUrl: service.baseUrl, key }, log)
    const waiting = mixedJobs(trial ? 20 : jobs).values()
    const told: Told[] = []
    const work = async (): Promise<void> => {
      for (const job of waiting) told.push(await runMixed(service.baseUrl, key, job))
    }
    await Promise.all(Array.from({ length: clients }, work))
    return measurements(told)
  } finally {
    await service.stop()
  }
}

/** Sizes are spread evenly on a logarithmic scale; what the presets can do in some seconds. */
function mixedJobs (count: number): MixedJob[] {
  const random = uniform(20_261_122)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  return Array.from({ length: count }, () => {
    const preset = pick(['fast', 'fast', 'balanced', 'balanced', 'best'] as const)
    const most = { fast: 3000, balanced: 300, best: 40 }[preset]
    const covariates = pick([0, 0, 0, 1, 4])
    const horizon = pick([1, 7, 14, 28])
    const panel = {
      series: Math.max(1, Math.round(most ** random())),
      length: Math.round(40 * 8 ** random()),
      covariates
    }
    const names = Array.from({ length: covariates }, (_, at) => `covariate_${at}`)
    const fields: Record<string, string> = { presets: preset, prediction_length: String(horizon) }
    if (covariates > 0) fields['covariates'] = names.join(',')
    if (random() < 0.15) fields['explainability'] = '{"enabled":true}'
    return { panel, horizon, fields }
  })
}

async function runMixed (baseUrl: string, key: string, { panel, horizon, fields }: MixedJob): Promise<Told> {
  const { covariates: _names, explainability, ...options } = fields
  const answer = await fetch(`${baseUrl}/estimate/runtime`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...options,
      prediction_length: horizon,
      ...(explainability === undefined ? {} : { explainability: JSON.parse(explainability) as object }),
      ...{
        num_items: panel.series,
        total_rows: panel.series * (panel.length + (panel.covariates > 0 ? horizon : 0)),
        num_covariates: panel.covariates
      }
    })
  })
  if (!answer.ok) throw new Error(`/estimate/runtime answered ${answer.status}: ${await answer.text()}`)
  const { estimated_seconds: { p50, p90 } } = await answer.json() as { estimated_seconds: { p50: number, p90: number } }
  const client = new ForecastClient({ baseUrl, key })
  const body = new Blob([panelCsv(panel, horizon)], { type: 'text/csv' })
  const { timings } = await client.waitForForecast(
    (await client.submit({ filename: 'mixed.csv', body }, fields)).job_id
  )
  return { p50, p90, seconds: (timings?.['total'] ?? 0) - (timings?.['queue'] ?? 0) }
}

function measurements (told: readonly Told[]): Measurement[] {
  const what =
    `${told.length} jobs of three presets, 1 to 3,000 series, two at a time, on a service that was calibrated`
  const share = (holds: (one: Told) => boolean) => told.filter(holds).length / told.length
  const factors = told.map(({ p50, seconds }) => Math.max(p50 / seconds, seconds / p50))
  return [
    {
      what: `${what}: took less than p90`,
      figure: share(({ p90, seconds }) => seconds <= p90),
      unit: '',
      gate: { atLeast: 0.85 }
    },
    { what: `${what}: took less than p50`, figure: share(({ p50, seconds }) => seconds <= p50), unit: '' },
    { what: `${what}: factor between p50 and the time that it took, median`, figure: quantile(factors, 0.5), unit: '' },
    { what: `${what}: p90 over p50, median`, figure: quantile(told.map(({ p50, p90 }) => p90 / p50), 0.5), unit: '' },
    { what: `${what}: longest`, figure: Math.max(...told.map(({ seconds }) => seconds)), unit: 's' }
  ]
}
