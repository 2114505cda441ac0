import { fetchEach } from './fetch-each.ts'
import { InvalidAnswer } from './http/invalid-answer.ts'
import { columnOf, numberOf, readCsv } from './http/read-csv.ts'
import type { Source } from './http/source.ts'
import { observationsOf, type Frequency, type Observations } from './observations.ts'
import { ProviderError } from './provider-error.ts'
import type { CovariateRequest, Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'
import type { SeriesOfAliases } from './series-of-aliases.ts'

export interface EcbOptions {
  id: string
  kind: 'macro' | 'rates'
  source: Source
  series: SeriesOfAliases
  lagOf: (variable: string) => PublicationLag
}

const dayMs = 86_400_000
/** SDMX codes of frequencies; B and D are days. */
const frequencies: Readonly<Record<string, Frequency>> = { A: 'P1Y', Q: 'P3M', M: 'P1M', W: 'P1W', B: 'P1D', D: 'P1D' }

/**
 * Series of the European Central Bank as csvdata. The values are today's. The ECB gives no publication times, so as of
 * a cutoff the declared delays decide.
 */
export function ecb ({ id, kind, source, series, lagOf }: EcbOptions): Provider {
  return {
    id,
    kind,
    transport: 'http',
    attribution: 'European Central Bank, Data Portal',
    aliases: Object.keys(series),
    covers: () => true,
    lagOf,
    fetch: (request) => fetchEach(request, fetchSeries)
  }

  async function fetchSeries (variable: string, request: CovariateRequest): Promise<Observations | string> {
    const [flow = '', key = '', ...rest] = (series[variable] ?? variable).split('/')
    if (!/^[A-Z0-9_]{1,30}$/.test(flow) || !/^[A-Za-z0-9_.-]{1,120}$/.test(key) || rest.length > 0) {
      return 'the provider has no series of that name'
    }
    try {
      const { value } = await source.get({
        path: `/service/data/${flow}/${key}`,
        parameters: { startPeriod: isoDate(request.startMs), endPeriod: isoDate(request.endMs - 1), format: 'csvdata' },
        accepts: ['text/csv', 'application/vnd.sdmx.data+csv'],
        ttlMs: dayMs / 4,
        read: readSeries,
        signal: request.signal
      })
      const found = observationsOf(variable, value.frequency, value, request)
      return found.values.length === 0 ? 'the series has no values in this range' : found
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'NOT_FOUND') {
        return 'the provider has no such series, or no values in this range'
      }
      throw error
    }
  }
}

/** Reads the columns FREQ, TIME_PERIOD and OBS_VALUE; an empty body has no observations. */
function readSeries (body: Buffer): { frequency: Frequency, validTimeMs: number[], values: Array<number | null> } {
  const table = readCsv(body.toString('utf8'))
  if (table.size === 0) return { frequency: 'P1D', validTimeMs: [], values: [] }
  const codes = new Set(columnOf(table, 'FREQ'))
  if (codes.size > 1 || new Set(columnOf(table, 'KEY')).size > 1) {
    throw new InvalidAnswer('the key stands for more than one series')
  }
  const [code = 'D'] = codes
  const frequency = frequencies[code]
  if (frequency === undefined) throw new InvalidAnswer('the frequency is not a known one')
  return {
    frequency,
    validTimeMs: columnOf(table, 'TIME_PERIOD').map(periodStart),
    values: columnOf(table, 'OBS_VALUE').map(numberOf)
  }
}

/** Beginning of an SDMX period: 2024, 2024-Q1, 2024-03, 2024-W05 (ISO 8601 weeks), 2024-03-15. */
function periodStart (text: string): number {
  const [, year = '', quarter, week, month, day] =
    /^(\d{4})(?:-Q([1-4])|-W(\d{2})|-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? []
  if (year === '') throw new InvalidAnswer('a TIME_PERIOD is not in a known form')
  if (week !== undefined) {
    // ISO 8601: the first week is the one with 4 January, and weeks begin on Mondays.
    const fourth = Date.UTC(Number(year), 0, 4)
    return fourth - (new Date(fourth).getUTCDay() + 6) % 7 * dayMs + (Number(week) - 1) * 7 * dayMs
  }
  if (quarter !== undefined) return Date.UTC(Number(year), (Number(quarter) - 1) * 3, 1)
  return Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1))
}

function isoDate (ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
