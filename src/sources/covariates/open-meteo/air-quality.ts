import { answerOf } from '../answer-of.ts'
import type { Place } from '../covariate-key.ts'
import type { Source } from '../http/source.ts'
import { observationsOf } from '../observations.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from '../provider.ts'
import type { PublicationLag } from '../publication-lag.ts'
import { requestHourly } from './hourly-request.ts'

const hourMs = 3_600_000
const aheadMs = 5 * 24 * hourMs

/**
 * Air quality of Open-Meteo (CAMS), with history and five days ahead from one endpoint. It keeps no earlier forecasts:
 * an hour that had not begun when it was fetched counts as published at that moment, an older one after the declared
 * delay.
 */
export function openMeteoAirQuality ({ id, source, lagOf, now = Date.now }: {
  id: string
  source: Source
  lagOf: (variable: string) => PublicationLag
  now?: () => number
}): Provider {
  return {
    id,
    kind: 'air_quality',
    transport: 'http',
    attribution: 'Air quality data by Open-Meteo.com and CAMS, CC BY 4.0',
    covers: () => true,
    lagOf,
    fetch
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const { variables, startMs, signal } = request
    const endMs = Math.min(request.endMs, now() + aheadMs)
    if (startMs >= endMs) {
      return {
        observations: [],
        missing: variables.map((variable) => ({ variable, reason: 'the provider looks five days ahead' }))
      }
    }
    const place = request.key as Place
    const { value, fetchedAtMs } = await requestHourly(source, '/v1/air-quality', {
      place,
      variables,
      startMs,
      endMs,
      ttlMs: hourMs,
      signal
    })
    const publishedAtMs = value.timeMs.map((time) => time > fetchedAtMs ? fetchedAtMs : NaN)
    const observations = variables.map((variable) => {
      const values = value.columns.get(variable) ?? Array.from(value.timeMs, () => null)
      return observationsOf(variable, 'PT1H', { validTimeMs: value.timeMs, values, publishedAtMs }, request)
    })
    return answerOf(observations, 'the provider has no values for this place and time')
  }
}
