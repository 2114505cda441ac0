import { answerOf } from '../answer-of.ts'
import type { Source } from '../http/source.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from '../provider.ts'
import type { PublicationLag } from '../publication-lag.ts'
import { previousDays, WeatherHours } from './weather-hours.ts'

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
/** Previous runs are kept from this time on. */
const previousRunsSinceMs = Date.UTC(2024, 0, 1)
/** Single runs of all models are kept from this time on. */
const singleRunsSinceMs = Date.UTC(2025, 9, 1)
/** Only the runs of 00 and 12 UTC cover the full range. */
const runEveryMs = 12 * hourMs

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
    const { startMs, cutoffMs, mode } = request
    const nowMs = now()
    // Everything that can be fetched now was published by now, so earlier runs are not needed.
    const isLatest = mode === 'latest' || cutoffMs >= nowMs
    const edgeMs = Math.floor((Math.min(nowMs, isLatest ? Infinity : cutoffMs) - archiveDelayMs) / dayMs) * dayMs
    // One hour more, because the total of the last hour is labelled with the next hour.
    const endMs = request.endMs + hourMs
    const hours = new WeatherHours(request)
    if (startMs < edgeMs) await hours.addArchive(archive, { startMs, endMs: Math.min(endMs, edgeMs + hourMs) })
    const fromMs = Math.max(startMs, edgeMs)
    if (isLatest) {
      const untilMs = Math.min(endMs, (Math.floor(nowMs / dayMs) * dayMs) + forecastAheadMs)
      if (fromMs < untilMs) await hours.addForecast(forecast, { startMs: fromMs, endMs: untilMs })
    } else {
      const since = Math.max(fromMs, previousRunsSinceMs)
      const untilMs = Math.min(endMs, cutoffMs + (previousDays + 1) * dayMs, nowMs + previousDays * dayMs)
      if (previousRuns !== null && since < untilMs) {
        await hours.addPreviousRuns(previousRuns, { startMs: since, endMs: untilMs })
      }
      if (singleRuns !== null && cutoffMs >= singleRunsSinceMs && endMs > cutoffMs) {
        await hours.addRun(singleRuns, lastRunMs(request), { startMs: fromMs, endMs })
      }
    }
    return answerOf(hours.observations(), 'the provider has no values for this place and time')
  }

  /** The declared delay of runs decides which one was the last. */
  function lastRunMs ({ variables, cutoffMs }: CovariateRequest): number {
    const delayMs = Math.max(...variables.map((variable) => lagOf(variable).after_issue_hours ?? 0)) * hourMs
    return Math.floor((cutoffMs - delayMs) / runEveryMs) * runEveryMs
  }
}
