import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { KnownColumns } from '../../domain/prompt-reading.ts'
import { missingFields } from './questions.ts'
import { defined } from '../../platform/defined.ts'

/** What the caller set in fields of its own. Nothing in a prompt changes these. */
export interface GivenFields {
  columns: KnownColumns
  horizon: number | null
}

/** Puts the given fields into the intent, and removes questions about them. */
export function settleIntent (intent: ForecastIntent,
  { columns: { target, timestamp, itemId }, horizon }: GivenFields): ForecastIntent {
  const settled: ForecastIntent = {
    ...intent,
    ...defined({ forecast_target: target, time_column: timestamp }),
    ...(itemId === undefined ? {} : { entity_columns: [itemId] }),
    ...(horizon === null ? {} : { horizon, horizon_quantity: horizon, horizon_unit: 'steps' as const })
  }
  const given = new Set([
    ...target === undefined ? [] : ['forecast_target'],
    ...timestamp === undefined ? [] : ['time_column'],
    ...itemId === undefined ? [] : ['entity_columns'],
    ...horizon === null ? [] : ['horizon']
  ])
  const questions = intent.clarification_questions.filter(({ field }) => !given.has(field))
  const missing = missingFields(settled)
  const isOpen = missing.length > 0 || questions.length > 0
  return {
    ...settled,
    missing_required_fields: missing,
    clarification_questions: questions,
    review_status: intent.review_status === 'needs_clarification' && !isOpen ? 'draft' : intent.review_status
  }
}

/**
 * The columns for a second profile of the dataset, if the intent names another target or time column than the profile
 * has. The series may differ then. undefined: the profile fits the intent.
 */
export function otherColumns ({ forecast_target: target, time_column: timestamp }: ForecastIntent,
  { roles }: DataProfile, known: KnownColumns): KnownColumns | undefined {
  const isOther = (target !== null && target !== roles.target) || (timestamp !== null && timestamp !== roles.timestamp)
  return isOther
    ? { ...known, ...(target === null ? {} : { target }), ...(timestamp === null ? {} : { timestamp }) }
    : undefined
}
