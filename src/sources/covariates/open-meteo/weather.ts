import type { Place } from '../covariate-key.ts'
import type { Source } from '../http/source.ts'
import { observationsOf } from '../observations.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from '../provider.ts'
import type { PublicationLag } from '../publication-lag.ts'
import { requestHourly, requestRun } from './hourly-request.ts'

export interface OpenMeteoWeatherOptions {
  id: string
  forecast: Source
  archive: Source
  /** null: earlier forecasts are not available, so as-of answers end with the archive. */
  previousRuns: Source | null
  /** null: as-of answers look at most seven days ahead. */
  singleRuns: Source | null
  lagOf: (variable: string) => PublicationLag
  now?: () => number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** ERA5 has a day after this delay; younger values come from forecasts. */
export const archiveDelayMs = 5 * dayMs
const forecastAheadMs = 16 * dayMs
/** `<variable>_previous_dayN` exists for N up to this. */
const previousDays = 7
/** Previous runs are kept from this time on. */
const previousRunsSinceMs = Date.UTC(2024, 0, 1)
/** Single runs of all models are kept from this time on. */
const singleRunsSinceMs = Date.UTC(2025, 9, 1)
/** Only the runs of 00 and 12 UTC cover the full range. */
const runEveryMs = 12 * hourMs
const runDays = 16

/** Totals are labelled by the end of their hour; every other variable is the state at its label. */
const endOfHour = new Set([
  'precipitation',
  'rain',
  'showers',
  'snowfall',
  'shortwave_radiation',
  'direct_radiation',
  'diffuse_radiation',
  'direct_normal_irradiance',
  'et0_fao_evapotranspiration',
  'sunshine_duration',
  'wind_gusts_10m'
])

/** Valid times are beginnings of hours here: totals of the preceding hour are moved to the hour that they describe. */
interface Columns {
  timeMs: number[]
  values: Array<number | null>
  issuedAtMs: number[]
  publishedAtMs: number[]
}

/**
 * Weather of Open-Meteo. The archive (ERA5) has everything older than five days. For younger values:
 * - latest: the current forecast, from seven days back to sixteen ahead; published when it was fetched.
 * - as of a cutoff: the earlier forecasts for each hour, one vintage per day of lead time, up to seven days ahead; and
 *   the whole of the last long run that was public at the cutoff, up to sixteen days ahead.
 */
export function openMeteoWeather (
  { id, forecast, archive, previousRuns, singleRuns, lagOf, now = Date.now }: OpenMeteoWeatherOptions
): Provider {
  return {
    id,
    kind: 'weather',
    transport: 'http',
    attribution: 'Weather data by Open-Meteo.com, CC BY 4.0',
    covers: () => true,
    lagOf,
    fetch
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const { variables, signal, cutoffMs, mode } = request
    const place = request.key as Place
    const nowMs = now()
    // Everything that can be fetched now was published by now, so earlier runs are not needed.
    const isLatest = mode === 'latest' || cutoffMs >= nowMs
    const edgeMs = Math.floor((Math.min(nowMs, isLatest ? Infinity : cutoffMs) - archiveDelayMs) / dayMs) * dayMs
    const columns = new Map(
      variables.map((
        variable
      ): [string, Columns] => [variable, { timeMs: [], values: [], issuedAtMs: [], publishedAtMs: [] }])
    )
    // One hour more, because the total of the last hour is labelled with the next hour.
    const endMs = request.endMs + hourMs
    if (request.startMs < edgeMs) await addArchive(request.startMs, Math.min(endMs, edgeMs + hourMs))
    const fromMs = Math.max(request.startMs, edgeMs)
    if (isLatest) {
      const untilMs = Math.min(endMs, (Math.floor(nowMs / dayMs) * dayMs) + forecastAheadMs)
      if (fromMs < untilMs) await addForecast(fromMs, untilMs)
    } else {
      const since = Math.max(fromMs, previousRunsSinceMs)
      const untilMs = Math.min(endMs, cutoffMs + (previousDays + 1) * dayMs, nowMs + previousDays * dayMs)
      if (previousRuns !== null && since < untilMs) await addPreviousRuns(previousRuns, since, untilMs)
      if (singleRuns !== null && cutoffMs >= singleRunsSinceMs && endMs > cutoffMs) await addLastRun(singleRuns)
    }
    const observations = [...columns].map(([variable, { timeMs, ...rest }]) => {
      const validTimeMs = endOfHour.has(variable) ? timeMs.map((time) => time - hourMs) : timeMs
      return observationsOf(variable, 'PT1H', { validTimeMs, ...rest }, request)
    })
    const empty = observations.filter(({ values }) => values.every(Number.isNaN))
    return {
      observations: observations.filter((one) => !empty.includes(one)),
      missing: empty.map(({ variable }) => ({ variable, reason: 'the provider has no values for this place and time' }))
    }

    async function addArchive (startMs: number, endMs: number): Promise<void> {
      const { value } = await requestHourly(archive, '/v1/archive', {
        place,
        variables,
        startMs,
        endMs,
        ttlMs: dayMs,
        signal
      })
      for (const [variable, column] of columns) add(column, value.timeMs, value.columns.get(variable), startMs, endMs)
    }

    async function addForecast (startMs: number, endMs: number): Promise<void> {
      const { value, fetchedAtMs } = await requestHourly(forecast, '/v1/forecast', {
        place,
        variables,
        startMs,
        endMs,
        ttlMs: hourMs,
        signal
      })
      for (const [variable, column] of columns) {
        add(column, value.timeMs, value.columns.get(variable), startMs, endMs, { publishedAtMs: fetchedAtMs })
      }
    }

    /** The declared delay of runs decides which one was the last. */
    async function addLastRun (source: Source): Promise<void> {
      const delayMs = Math.max(...variables.map((variable) => lagOf(variable).after_issue_hours ?? 0)) * hourMs
      const runMs = Math.floor((cutoffMs - delayMs) / runEveryMs) * runEveryMs
      const { value } = await requestRun(source, runMs, runDays, { place, variables, ttlMs: dayMs, signal })
      for (const [variable, column] of columns) {
        add(column, value.timeMs, value.columns.get(variable), fromMs, endMs, { runMs })
      }
    }

    async function addPreviousRuns (source: Source, startMs: number, endMs: number): Promise<void> {
      const leads = Array.from({ length: previousDays + 1 }, (_, days) => days)
      const names = variables.flatMap((variable) => leads.map((days) => previousName(variable, days)))
      const { value } = await requestHourly(source, '/v1/forecast', {
        place,
        variables: names,
        startMs,
        endMs,
        ttlMs: 6 * hourMs,
        signal
      })
      for (const [variable, column] of columns) {
        for (const days of leads) {
          add(column, value.timeMs, value.columns.get(previousName(variable, days)), startMs, endMs, {
            leadMs: days * dayMs
          })
        }
      }
    }
  }
}

function previousName (variable: string, days: number): string {
  return days === 0 ? variable : `${variable}_previous_day${days}`
}

interface Known {
  /** When the run began. */
  runMs?: number
  /** How long before the hour the run began, at least. */
  leadMs?: number
  publishedAtMs?: number
}

/** If two sources have the same row, the publication decides which one counts. */
function add (column: Columns, timeMs: Float64Array, values: ReadonlyArray<number | null> | undefined, startMs: number,
  endMs: number, { runMs, leadMs = NaN, publishedAtMs = NaN }: Known = {}): void {
  if (values === undefined) return
  for (const [row, time] of timeMs.entries()) {
    if (time < startMs || time >= endMs) continue
    column.timeMs.push(time)
    column.values.push(values[row] ?? null)
    column.issuedAtMs.push(runMs ?? time - leadMs)
    column.publishedAtMs.push(publishedAtMs)
  }
}
