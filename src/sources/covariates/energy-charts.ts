import { Type } from 'typebox'
import type { KeyOf } from './covariate-key.ts'
import { InvalidAnswer } from './http/invalid-answer.ts'
import { jsonReader } from './http/read-json.ts'
import type { Source } from './http/source.ts'
import { observationsOf, type Frequency } from './observations.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'

const hourMs = 3_600_000
const read = jsonReader(Type.Object({
  unix_seconds: Type.Array(Type.Integer()),
  price: Type.Array(Type.Union([Type.Number(), Type.Null()])),
  unit: Type.String()
}))

/** Day-ahead prices by bidding zone from energy-charts.info (Fraunhofer ISE). It has no load forecasts. */
export function energyCharts (
  { id, source, lagOf }: { id: string, source: Source, lagOf: (variable: string) => PublicationLag }
): Provider {
  const attribution =
    'energy-charts.info, Fraunhofer ISE; licence as given there for each bidding zone (CC BY 4.0 for most)'
  return {
    id,
    kind: 'electricity',
    transport: 'http',
    attribution,
    covers: (key) => isZone((key as KeyOf['electricity']).zone),
    lagOf,
    fetch
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const { zone } = request.key as KeyOf['electricity']
    const missing = request.variables.filter((variable) => variable !== 'day_ahead_price').map((variable) => ({
      variable,
      reason: 'the provider has prices only'
    }))
    if (!request.variables.includes('day_ahead_price')) return { observations: [], missing }
    const { value } = await source.get({
      path: '/price',
      parameters: { bzn: zone, start: isoMinute(request.startMs), end: isoMinute(request.endMs) },
      accepts: ['application/json'],
      ttlMs: hourMs,
      read: readPrices,
      signal: request.signal
    })
    const prices = observationsOf('day_ahead_price', resolutionOf(value.validTimeMs), value, request)
    if (prices.values.length > 0) return { observations: [prices], missing }
    return {
      observations: [],
      missing: [{ variable: 'day_ahead_price', reason: 'the provider has no prices in this range' }, ...missing]
    }
  }
}

/** A zone such as DE-LU, AT, NO1 or IT-North; not an EIC. */
function isZone (zone: string): boolean {
  return /^[A-Z]{2}[A-Za-z0-9-]{0,20}$/.test(zone)
}

function readPrices (body: Buffer): { validTimeMs: number[], values: Array<number | null> } {
  const { unix_seconds: seconds, price, unit } = read(body)
  if (seconds.length !== price.length) throw new InvalidAnswer('unix_seconds and price differ in length')
  if (!/^EUR ?\/ ?MWh$/.test(unit)) throw new InvalidAnswer('the unit is not EUR / MWh')
  return { validTimeMs: seconds.map((second) => second * 1000), values: price }
}

/**
 * Zones switched from hours to quarters of an hour. If there are any hours, the frequency is hours, and a finer value
 * ends where the next begins.
 */
function resolutionOf (times: readonly number[]): Frequency {
  const isHour = (row: number) => (times[row] ?? NaN) - (times[row - 1] ?? NaN) === hourMs
  return times.length < 2 || times.some((_time, row) => isHour(row)) ? 'PT1H' : 'PT15M'
}

function isoMinute (ms: number): string {
  return new Date(ms).toISOString().slice(0, 16) + 'Z'
}
