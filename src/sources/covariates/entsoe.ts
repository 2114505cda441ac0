import { eicOf } from './bidding-zones.ts'
import type { KeyOf } from './covariate-key.ts'
import { readEntsoe, type EntsoeSeries } from './entsoe-document.ts'
import { fetchEach } from './fetch-each.ts'
import type { Source } from './http/source.ts'
import { observationsOf, type Frequency, type Observations } from './observations.ts'
import { ProviderError } from './provider-error.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'

export interface EntsoeOptions {
  id: string
  source: Source
  lagOf: (variable: string) => PublicationLag
}

const hourMs = 3_600_000
/** One request may ask for at most a year. */
const chunkMs = 365 * 24 * hourMs
const maxChunks = 30

const nothing: EntsoeSeries = { frequency: 'PT1H', validTimeMs: [], values: [] }

/** The request for each variable: parameters, root element and the element of a point's value. */
const documents: Readonly<
  Record<string, { parameters: (eic: string) => Record<string, string>, root: string, value: string }>
> = {
  day_ahead_price: {
    parameters: (eic) => ({ documentType: 'A44', in_Domain: eic, out_Domain: eic }),
    root: 'Publication_MarketDocument',
    value: 'price.amount'
  },
  load_forecast: {
    parameters: (eic) => ({ documentType: 'A65', processType: 'A01', outBiddingZone_Domain: eic }),
    root: 'GL_MarketDocument',
    value: 'quantity'
  }
}

/** Day-ahead prices (EUR/MWh or the zone's currency) and load forecasts (MW) of the ENTSO-E Transparency Platform. */
export function entsoe ({ id, source, lagOf }: EntsoeOptions): Provider {
  return {
    id,
    kind: 'electricity',
    transport: 'http',
    attribution: 'ENTSO-E Transparency Platform',
    covers: (key) => eicOf((key as KeyOf['electricity']).zone) !== undefined,
    lagOf,
    fetch
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const eic = eicOf((request.key as KeyOf['electricity']).zone)
    if (eic === undefined) throw new ProviderError(id, 'NOT_FOUND', { detail: 'the bidding zone is not a known one' })
    if ((request.endMs - request.startMs) / chunkMs > maxChunks) throw new ProviderError(id, 'RANGE_TOO_LONG')
    return await fetchEach(request, async (variable) => {
      const found = await fetchVariable(variable, eic, request)
      return found.values.length === 0 ? 'the provider has nothing in this range' : found
    })
  }

  async function fetchVariable (variable: string, eic: string, request: CovariateRequest): Promise<Observations> {
    const validTimeMs: number[] = []
    const values: number[] = []
    const frequencies: Frequency[] = []
    for (let from = floorHour(request.startMs); from < request.endMs; from += chunkMs) {
      const part = await fetchChunk(variable, eic, from,
        Math.min(from + chunkMs, floorHour(request.endMs + hourMs - 1)), request.signal)
      if (part.values.length > 0) frequencies.push(part.frequency)
      for (const [row, time] of part.validTimeMs.entries()) {
        // A day at the boundary may come in full with two chunks.
        if (time <= (validTimeMs.at(-1) ?? -Infinity)) continue
        validTimeMs.push(time)
        values.push(part.values[row] as number)
      }
    }
    // Zones switched from hours to quarters of an hour. The coarser frequency counts, and a finer value ends where the
    // next begins.
    const frequency = frequencies.includes('PT1H') ? 'PT1H' : frequencies[0] ?? 'PT1H'
    return observationsOf(variable, frequency, { validTimeMs, values }, request)
  }

  async function fetchChunk (variable: string, eic: string, startMs: number, endMs: number,
    signal: AbortSignal): Promise<EntsoeSeries> {
    const document = documents[variable]
    if (document === undefined) return nothing
    try {
      const { value } = await source.get({
        path: '/api',
        parameters: { ...document.parameters(eic), periodStart: minuteOf(startMs), periodEnd: minuteOf(endMs) },
        accepts: ['text/xml', 'application/xml'],
        ttlMs: hourMs,
        read: (body) => readEntsoe(id, body, document.root, document.value),
        refusal: (status, body) => status === 400 ? refusal(id, body) : undefined,
        signal
      })
      return value
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'NOT_FOUND') return nothing
      throw error
    }
  }
}

/** The platform also reports "no data" with this status. If the body cannot be read, the status alone counts. */
function refusal (id: string, body: Buffer): ProviderError | undefined {
  try {
    readEntsoe(id, body, '', '')
    return new ProviderError(id, 'NOT_FOUND')
  } catch (error) {
    return error instanceof ProviderError ? error : undefined
  }
}

function floorHour (ms: number): number {
  return Math.floor(ms / hourMs) * hourMs
}

/** yyyyMMddHHmm, UTC. */
function minuteOf (ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, 12)
}
