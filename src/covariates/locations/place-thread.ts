import { parentPort } from 'node:worker_threads'
import type { CovariateWhere } from '../../queue/external-covariates-spec.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import { checkCountry } from '../holidays.ts'
import { resolveCity } from './resolve-city.ts'

/*
 * A thread that knows cities and countries: to read their lists takes most of a second, which the thread that answers requests
 * does not have.
 */
export interface PlaceQuestion { id: number, field: string, where: CovariateWhere }

export type PlaceAnswer =
  | { id: number, where: CovariateWhere }
  /** What is wrong with the request. */
  | { id: number, wrong: { field: string, message: string } }
  | { id: number, failed: string }

async function settle (where: CovariateWhere, field: string): Promise<CovariateWhere> {
  if (where.type === 'country') await checkCountry(where)
  if (where.type !== 'city') return where
  const { location, warning } = await resolveCity(where.query, field)
  const { latitude, longitude } = location
  return { type: 'place', latitude, longitude, location, note: warning }
}

parentPort?.on('message', ({ id, field, where }: PlaceQuestion) => {
  settle(where, field).then(
    (settled) => answer({ id, where: settled }),
    (error: unknown) => {
      if (error instanceof CovariateInputError) answer({ id, wrong: { field: error.field, message: error.message } })
      else answer({ id, failed: String(error) })
    }
  )
})

function answer (message: PlaceAnswer): void {
  parentPort?.postMessage(message)
}
