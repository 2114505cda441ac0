import { Type } from 'typebox'
import { civilOf, utcOf } from './alignment/civil-time.ts'
import { fetchEach } from './fetch-each.ts'
import { InvalidAnswer } from './http/invalid-answer.ts'
import { jsonReader } from './http/read-json.ts'
import type { Source } from './http/source.ts'
import { frequencyOf, observationsOf, type Observations } from './observations.ts'
import { ProviderError } from './provider-error.ts'
import type { CovariateRequest, Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'
import type { SeriesOfAliases } from './series-of-aliases.ts'

export interface FredOptions {
  id: string
  kind: 'macro' | 'rates'
  source: Source
  series: SeriesOfAliases
  lagOf: (variable: string) => PublicationLag
  now?: () => number
}

const dayMs = 86_400_000
/** The zone in which the days of FRED's vintages begin. */
const zone = 'America/Chicago'
const date = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })

const readAnswer = jsonReader(Type.Object({
  count: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1 }),
  observations: Type.Array(
    Type.Object({
      realtime_start: date,
      realtime_end: date,
      date,
      value: Type.String({ pattern: '^(?:\\.|-?[0-9]*\\.?[0-9]+(?:[eE][+-]?[0-9]{1,2})?)$' })
    })
  )
}))
const readRefusal = jsonReader(Type.Object({ error_code: Type.Integer(), error_message: Type.String() }))

/**
 * Series of the Federal Reserve Bank of St. Louis. As of a cutoff it returns the vintage at the end of the last whole
 * day before it (ALFRED), so later revisions are not seen.
 */
export function fred ({ id, kind, source, series, lagOf, now = Date.now }: FredOptions): Provider {
  return {
    id,
    kind,
    transport: 'http',
    attribution: 'FRED, Federal Reserve Bank of St. Louis, and the sources named there',
    aliases: Object.keys(series),
    covers: () => true,
    lagOf,
    fetch: (request) => fetchEach(request, fetchSeries)
  }

  async function fetchSeries (variable: string, request: CovariateRequest): Promise<Observations | string> {
    const seriesId = series[variable] ?? variable
    if (!/^[A-Z0-9_]{1,60}$/.test(seriesId)) return 'the provider has no series of that name'
    const vintage = request.mode === 'as_of' ? lastWholeDay(Math.min(request.cutoffMs, now())) : null
    try {
      const { value } = await source.get({
        path: '/fred/series/observations',
        parameters: {
          series_id: seriesId,
          file_type: 'json',
          observation_start: isoDate(request.startMs),
          observation_end: isoDate(request.endMs - 1),
          ...(vintage === null ? {} : { realtime_start: vintage, realtime_end: vintage })
        },
        accepts: ['application/json'],
        ttlMs: dayMs / 4,
        read: (body) => readSeries(body, vintage !== null),
        refusal: (status, body) => refusal(id, status, body),
        signal: request.signal
      })
      const found = observationsOf(variable, frequencyOf(value.validTimeMs), value, request)
      return found.values.length === 0 ? 'the series has no values in this range' : found
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'NOT_FOUND') {
        return 'the provider has no such series, or had none at the cutoff'
      }
      throw error
    }
  }
}

/** Without a vintage the values are today's, and their first publication is unknown. */
function readSeries (body: Buffer,
  isVintage: boolean): { validTimeMs: number[], values: Array<number | null>, publishedAtMs: number[] | undefined } {
  const { count, limit, observations } = readAnswer(body)
  if (count > limit) throw new InvalidAnswer('the series has more values than one answer holds')
  return {
    validTimeMs: observations.map((one) => dateMs(one.date)),
    values: observations.map(({ value }) => value === '.' ? null : Number(value)),
    // Counts as known from the end of the first day on which this value stood.
    publishedAtMs: isVintage ? observations.map((one) => utcOf(dateMs(one.realtime_start) + dayMs, zone)) : undefined
  }
}

function refusal (id: string, status: number, body: Buffer): ProviderError | undefined {
  if (status !== 400) return undefined
  let text: string
  try {
    text = readRefusal(body).error_message
  } catch {
    // The body does not have the documented form, so the status alone counts.
    return undefined
  }
  const code = /api_key/i.test(text)
    ? 'AUTHENTICATION_FAILED'
    : /does not exist/i.test(text)
    ? 'NOT_FOUND'
    : 'REQUEST_REFUSED'
  return new ProviderError(id, code, { cause: text })
}

/** The last day that had ended at that instant. */
function lastWholeDay (utcMs: number): string {
  return isoDate(Math.floor(civilOf(utcMs, zone) / dayMs) * dayMs - dayMs)
}

function isoDate (ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function dateMs (text: string): number {
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(ms)) throw new InvalidAnswer(`${text} is not a date`)
  return ms
}
