import type { Place } from '../covariate-key.ts'
import type { Source } from '../http/source.ts'
import { observationsOf, type Observations } from '../observations.ts'
import type { CovariateRequest } from '../provider.ts'
import type { HourlyAnswer } from './hourly-answer.ts'
import { requestHourly, requestRun } from './hourly-request.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** `<variable>_previous_dayN` exists for N up to this. */
export const previousDays = 7
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

interface Columns {
  timeMs: number[]
  values: Array<number | null>
  issuedAtMs: number[]
  publishedAtMs: number[]
}

interface Range {
  startMs: number
  endMs: number
}

interface Known {
  /** When the run began. */
  runMs?: number
  /** How long before the hour the run began, at least. */
  leadMs?: number
  publishedAtMs?: number
}

/** Collects the hours of a request's variables from several sources. */
export class WeatherHours {
  readonly #request: CovariateRequest
  readonly #columns: Map<string, Columns>

  constructor (request: CovariateRequest) {
    this.#request = request
    this.#columns = new Map(
      request.variables.map((variable) => [variable, { timeMs: [], values: [], issuedAtMs: [], publishedAtMs: [] }])
    )
  }

  async addArchive (source: Source, range: Range): Promise<void> {
    const { value } = await requestHourly(source, '/v1/archive', { ...this.#asked, ...range, ttlMs: dayMs })
    this.#add(value, range)
  }

  async addForecast (source: Source, range: Range): Promise<void> {
    const { value, fetchedAtMs } = await requestHourly(source, '/v1/forecast', {
      ...this.#asked,
      ...range,
      ttlMs: hourMs
    })
    this.#add(value, range, { publishedAtMs: fetchedAtMs })
  }

  async addPreviousRuns (source: Source, range: Range): Promise<void> {
    const leads = Array.from({ length: previousDays + 1 }, (_, days) => days)
    const variables = this.#request.variables.flatMap((variable) => leads.map((days) => previousName(variable, days)))
    const { value } = await requestHourly(source, '/v1/forecast', {
      ...this.#asked,
      ...range,
      variables,
      ttlMs: 6 * hourMs
    })
    for (const days of leads) {
      this.#add(value, range, { leadMs: days * dayMs }, (variable) => previousName(variable, days))
    }
  }

  /** The whole of one run, which began at `runMs`. */
  async addRun (source: Source, runMs: number, range: Range): Promise<void> {
    const { value } = await requestRun(source, runMs, runDays, { ...this.#asked, ttlMs: dayMs })
    this.#add(value, range, { runMs })
  }

  /** Valid times are beginnings of hours: totals of the preceding hour are moved to the hour that they describe. */
  observations (): Observations[] {
    return [...this.#columns].map(([variable, { timeMs, ...rest }]) => {
      const validTimeMs = endOfHour.has(variable) ? timeMs.map((time) => time - hourMs) : timeMs
      return observationsOf(variable, 'PT1H', { validTimeMs, ...rest }, this.#request)
    })
  }

  get #asked (): { place: Place, variables: readonly string[], signal: AbortSignal } {
    const { key, variables, signal } = this.#request
    return { place: key as Place, variables, signal }
  }

  /** If two sources have the same row, the publication decides which one counts. */
  #add (answer: HourlyAnswer, { startMs, endMs }: Range, { runMs, leadMs = NaN, publishedAtMs = NaN }: Known = {},
    nameOf = (variable: string): string => variable): void {
    for (const [variable, column] of this.#columns) {
      const values = answer.columns.get(nameOf(variable))
      if (values === undefined) continue
      for (const [row, time] of answer.timeMs.entries()) {
        if (time < startMs || time >= endMs) continue
        column.timeMs.push(time)
        column.values.push(values[row] ?? null)
        column.issuedAtMs.push(runMs ?? time - leadMs)
        column.publishedAtMs.push(publishedAtMs)
      }
    }
  }
}

function previousName (variable: string, days: number): string {
  return days === 0 ? variable : `${variable}_previous_day${days}`
}
