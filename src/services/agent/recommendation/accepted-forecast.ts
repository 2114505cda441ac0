import { nameTooLong } from './name-too-long.ts'
import { recommendForecast } from './recommend-forecast.ts'
import type { Recommendation, RecommendationInput, RecommendedConfig } from './recommendation.ts'
import { remedyFor, type Remedy } from './remedies.ts'
import type { Refusal, RowCheck } from './row-check.ts'

export interface AcceptedForecast extends Recommendation {
  /** null: every forecast route accepts the configuration. */
  refusal: Refusal | null
}

/** This is more than the number of remedies. */
const maxTries = 12

/**
 * Finds a recommendation that passes the content check of its job. If the rows are refused, the agent changes what it
 * chose by itself, but never what was asked for.
 */
export async function acceptedForecast (input: RecommendationInput, check: RowCheck): Promise<AcceptedForecast> {
  const taken = new Set<string>()
  const notes: string[] = []
  let tried = input
  for (let tries = 0;; tries++) {
    const recommendation = recommendForecast(tried)
    const said = { ...recommendation, warnings: [...notes, ...recommendation.warnings] }
    const refusal = nameTooLong(recommendation.config) ?? await refusalOf(recommendation.config, check)
    if (refusal === undefined) {
      return {
        ...said,
        warnings: [...said.warnings,
          'There was no time to look at all rows with this configuration: its job does, and may refuse them.'],
        refusal: null
      }
    }
    if (refusal === null) return { ...said, refusal }
    const remedy: Remedy | undefined = tries < maxTries
      ? await remedyFor(refusal, tried, recommendation.config, check)
      : undefined
    if (remedy === undefined || taken.has(remedy.name)) return { ...said, refusal }
    taken.add(remedy.name)
    tried = remedy.input
    notes.push(...remedy.notes)
  }
}

async function refusalOf (config: RecommendedConfig, check: RowCheck): Promise<Refusal | null | undefined> {
  const found = await check(config)
  return found === undefined || 'code' in found ? found : null
}
