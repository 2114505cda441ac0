import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { assembleIntent } from './assemble-intent.ts'
import { readWishes } from './read-wishes.ts'

/**
 * Reads from a prompt what to forecast, by fixed rules, without a model, a clock or chance. Every column in the intent
 * is one of the data, and relative times count from the last timestamp of the data. What the prompt leaves open comes
 * from the data, or a question asks for it.
 */
export function extractIntent (prompt: string, data: DataProfile): ForecastIntent {
  return assembleIntent(readWishes(prompt, data))
}
