import { parentPort } from 'node:worker_threads'
import type { CovariateWhere } from '../../../domain/external-covariates-spec.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import { checkCountry, knowCountries } from '../holidays.ts'
import { knowCities, resolveCity } from './resolve-city.ts'

/*
 * A thread that knows cities and countries. Reading their lists takes most of a second, which the thread that answers
 * requests cannot spare.
 */
export interface PlaceQuestion {
  id: number
  field: string
  where: CovariateWhere
}

/** The result of a look-up. */
export type PlaceFinding =
  | { where: CovariateWhere }
  /** What is wrong with the request. */
  | { wrong: { field: string, message: string } }
  | { failed: string }

/** `ms`: how long the look-up took, without the time to read the lists. */
export type PlaceAnswer = { id: number, ms: number, found: PlaceFinding } | { isReady: true }

async function settle (where: CovariateWhere, field: string): Promise<CovariateWhere> {
  if (where.type === 'country') await checkCountry(where)
  if (where.type !== 'city') return where
  const { location, warning } = await resolveCity(where.query, field)
  const { latitude, longitude } = location
  return { type: 'place', latitude, longitude, location, note: warning }
}

function failureOf (error: unknown): PlaceFinding {
  return error instanceof CovariateInputError
    ? { wrong: { field: error.field, message: error.message } }
    : { failed: String(error) }
}

function answer (message: PlaceAnswer): void {
  parentPort?.postMessage(message)
}

async function serve (): Promise<void> {
  await Promise.all([knowCities(), knowCountries()])
  answer({ isReady: true })
  parentPort?.on('message', ({ id, field, where }: PlaceQuestion) => {
    const startMs = performance.now()
    void settle(where, field).then((settled): PlaceFinding => ({ where: settled }), failureOf).then((found) =>
      answer({ id, ms: performance.now() - startMs, found })
    )
  })
}

// If a list cannot be read, the thread ends with an error that its owner receives.
await serve()
