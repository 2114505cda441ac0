import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { assembleIntent } from './assemble-intent.ts'
import { readWishes } from './read-wishes.ts'

/**
 * What a prompt wants forecast of these data, by fixed rules: no model, no clock, no chance. Every column in it is one
 * of the data; everything relative in time counts from their last time. What the prompt leaves open comes from the
 * data, or is asked for.
 */
export function extractIntent (prompt: string, data: DataProfile): ForecastIntent {
  return assembleIntent(readWishes(prompt, data))
}
