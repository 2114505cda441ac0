import type { TabcastError } from '../../../platform/errors.ts'
import type { RecommendedConfig } from './recommendation.ts'

/** Why a forecast of these rows with this configuration is refused. */
export interface Refusal {
  /** As the type of the error of a field. */
  code: string
  /** A sentence or two, with what can be done about it. */
  message: string
  /** Concerned, where one is. */
  column: string | null
  /** What a route would answer. */
  error: TabcastError
}

/**
 * What a job would find in the rows that a configuration leaves: the alias of their step, or why it refuses them;
 * undefined: there was no time to look.
 */
export type RowCheck = (config: RecommendedConfig) => Promise<{ freq: string } | Refusal | undefined>
