import type { TabcastError } from '../../../platform/errors.ts'
import type { RecommendedConfig } from './recommendation.ts'

/** Why a forecast of these rows is refused with this configuration. */
export interface Refusal {
  /** The code, as in the `type` of a field error. */
  code: string
  /** One or two sentences, including what the caller can do. */
  message: string
  /** The column that the refusal is about, if there is one. */
  column: string | null
  /** The error that a route would answer with. */
  error: TabcastError
}

/**
 * Checks the rows that a configuration leaves as its job would: returns the alias of their step, or why they are
 * refused; undefined: there was no time to check.
 */
export type RowCheck = (config: RecommendedConfig) => Promise<{ freq: string } | Refusal | undefined>
