import { recommendForecast } from './recommend-forecast.ts'
import { maxColumnName, type Recommendation, type RecommendationInput, type RecommendedConfig, type Refusal,
  type RowCheck } from './recommendation.ts'
import { type Remedy, remedyFor } from './remedies.ts'
import { TabcastError } from '../../platform/errors.ts'

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

/** Finds a column name that is too long for a request, because files may have longer ones; null: all names fit. */
function nameTooLong (
  { target_column: target, timestamp_column: time, item_id_column: itemId, preparation }: RecommendedConfig
): Refusal | null {
  const named = [time, target, itemId, ...preparation?.series_columns ?? [],
    ...preparation?.filters.map(({ column }) => column) ?? []]
  const name = named.find(({ length }) => length > maxColumnName)
  if (name === undefined) return null
  const code = 'column_name_too_long'
  const message = `The name of the column "${
    name.slice(0, 40)
  }..." has ${name.length} characters, and a request takes ${maxColumnName}. Give the column a shorter name in the file.`
  return {
    code,
    message,
    column: name,
    error: new TabcastError('validation_error', undefined, {
      fields: [{ loc: ['body', 'file'], msg: message, type: code }]
    })
  }
}
