import { Type, type TObject, type TSchema } from 'typebox'
import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { anomalyHandlings, backtestStrategies, deploymentTargets, evaluationMetrics, filterOperators, granularities,
  horizonUnits, missingDataHandlings, type HorizonUnit } from '../../../domain/intent-values.ts'
import type { ModelAnswer } from '../../../domain/model-question.ts'
import { mayBeTarget, mayExplain, mayGroup } from '../columns/column-roles.ts'
import type { Finding, Reading, Wish } from '../reading.ts'
import type { ReadWishes } from '../read-wishes.ts'
import type { HorizonWish, TimeUnit } from '../../recommendations/time/frequency.ts'
import { namedConstraints } from '../wishes/plain.ts'
import { type AnsweredFilter, quotedWords, readFilters } from './answered-filters.ts'
import { describedColumns } from './described-data.ts'

/** This weight is below that of explicit wishes. */
const modelWeight = 0.5
const maxQuantity = 100_000
const maxIntervals = 5
const maxQuotes = 20
const maxObjectiveLength = 200

interface AnswerField {
  /** The schema of the field's answer; null: there is nothing to choose from. */
  schema: (data: DataProfile) => Record<string, TSchema | null>
  /** Turns a valid answer into wishes. */
  wishes: (answer: ModelAnswer, reading: Reading) => Wish[]
}

/** Fields that a model may fill if the rules leave them open. It never decides season lengths, entities and steps. */
const fields: Readonly<Record<string, AnswerField>> = {
  forecast_target: {
    schema: (data) => ({ forecast_target: oneOf(named(data, mayBeTarget)) }),
    wishes: ({ forecast_target: name }, { data }) =>
      data.columns.filter((column) => column.name === name).slice(0, 1).map((column) => ({
        field: 'forecast_target',
        value: [column]
      }))
  },
  time_column: choice('time_column', (data) => named(data, ({ kind }) => kind === 'timestamp' || kind === 'text')),
  granularity: choice('granularity', () => granularities.filter((granularity) => granularity !== 'irregular')),
  horizon: {
    schema: () => ({
      horizon_quantity: orNull('number'),
      horizon_unit: oneOf(horizonUnits),
      horizon_until: orNull('string')
    }),
    wishes: (answer) => readHorizon(answer).map((value) => ({ field: 'horizon', value }))
  },
  grouping: {
    schema: (data) => ({ grouping_dimensions: someOf(named(data, mayGroup)) }),
    wishes: ({ grouping_dimensions: names }) => some(names, (value) => ({ field: 'grouping', value }))
  },
  filters: {
    schema: (data) => ({ filters: filtersOf(named(data, ({ kind }) => kind !== 'empty' && kind !== 'other')) }),
    wishes: ({ filters = [] }, { data, text }) =>
      some(readFilters(filters as AnsweredFilter[], data, text.original), (value) => ({ field: 'filters', value }))
  },
  covariates: {
    schema: (data) => ({ covariates: someOf(named(data, (column) => mayExplain(column, data))) }),
    wishes: ({ covariates }) =>
      some(covariates, (columns: string[]) => ({ field: 'covariates', value: { columns, isUsed: true } }))
  },
  evaluation_metric: choice('evaluation_metric', () => evaluationMetrics),
  backtest_strategy: choice('backtest_strategy', () => backtestStrategies),
  confidence_intervals: {
    schema: () => ({ confidence_intervals: Type.Array(Type.Number()) }),
    wishes: ({ confidence_intervals: shares = [] }) => {
      const rounded = (shares as number[]).map((share) => Math.round(share * 1e4) / 1e4)
      const value = rounded.filter((share) => share > 0 && share < 1).slice(0, maxIntervals)
      return some(value, () => ({ field: 'confidence_intervals', value }))
    }
  },
  anomaly_handling: choice('anomaly_handling', () => anomalyHandlings),
  missing_data_handling: choice('missing_data_handling', () => missingDataHandlings),
  deployment_target: choice('deployment_target', () => deploymentTargets),
  user_constraints: {
    schema: () => ({ user_constraints: someOf(namedConstraints) }),
    wishes: ({ user_constraints: constraints = [] }) =>
      [...new Set(constraints as string[])].map((value) => ({ field: 'user_constraints', value }))
  },
  business_objective: { schema: () => ({ business_objective: orNull('string') }), wishes: () => [] }
}

/**
 * The schema of the answer: the open fields, with an enum of the possible columns for each. A field is open if neither
 * the prompt, as read by the rules, nor the data determine it. If the rules found two values, or a name that the data
 * do not have, the rules ask, and the field is not open. The schema only uses what servers with constrained decoding
 * have in common: all properties required, no others, nullable by lists of types. Limits are checked when the answer is
 * read.
 */
export function answerSchema (findings: readonly Finding[], intent: ForecastIntent, data: DataProfile): TObject {
  const found = new Set<string>(findings.map(({ field }) => field === 'unknown_target' ? 'forecast_target' : field))
  const ofData: Partial<Record<string, unknown>> = {
    forecast_target: intent.forecast_target,
    time_column: intent.time_column,
    granularity: intent.granularity,
    business_objective: intent.business_objective
  }
  const open = Object.entries(fields).filter(([field]) => !found.has(field) && (ofData[field] ?? null) === null)
  const properties = open.flatMap(([, { schema }]) => Object.entries(schema(data)))
  return closed({
    ...Object.fromEntries(properties.filter((entry): entry is [string, TSchema] => entry[1] !== null)),
    quotes: Type.Array(Type.String())
  })
}

/**
 * Turns an answer into wishes that the rules assemble with their own. An answer names lengths and ends, never steps. Of
 * texts it may only contain words of the prompt. Fields that were not open or not valid are missing.
 */
export function answeredWishes (valid: ModelAnswer, reading: Reading): Pick<ReadWishes, 'findings' | 'objective'> {
  // The findings have no words in the prompt; the quotes tell what they are based on.
  const findings = Object.values(fields).flatMap(({ wishes }) => wishes(valid, reading)).map((wish): Finding => ({
    ...wish,
    from: 0,
    to: 0,
    weight: modelWeight
  }))
  return { findings, objective: readObjective(valid['business_objective'] as string | null | undefined ?? '', reading) }
}

/** Marks the quoted words of an answer as used. Quotes that are not in the prompt are ignored. */
export function answeredQuotes ({ quotes = [] }: ModelAnswer, { text }: Reading): Finding[] {
  return (quotes as string[]).slice(0, maxQuotes).flatMap((quote): Finding[] => {
    const place = quotedWords(text, quote)
    return place === undefined ? [] : [{ field: 'none', value: null, ...place, weight: modelWeight }]
  })
}

function choice (
  field: 'time_column' | 'granularity' | 'evaluation_metric' | 'backtest_strategy' | 'anomaly_handling'
    | 'missing_data_handling' | 'deployment_target',
  values: (data: DataProfile) => readonly string[]
): AnswerField {
  return {
    schema: (data) => ({ [field]: oneOf(values(data)) }),
    wishes: ({ [field]: value }) => value == null ? [] : [{ field, value } as Wish]
  }
}

function some<T> (list: T, wish: (list: T & string[]) => Wish): Wish[] {
  return Array.isArray(list) && list.length > 0 ? [wish(list as T & string[])] : []
}

function named (data: DataProfile, fits: (column: ProfiledColumn) => boolean): string[] {
  return describedColumns(data).filter(fits).map(({ name }) => name)
}

function closed (properties: Record<string, TSchema>): TObject {
  return Type.Object(properties, { additionalProperties: false })
}

function orNull (type: 'string' | 'number'): TSchema {
  return Type.Unsafe({ type: [type, 'null'] })
}

function oneOf (values: readonly string[]): TSchema | null {
  return values.length === 0 ? null : Type.Unsafe({ type: ['string', 'null'], enum: [...values, null] })
}

function someOf (values: readonly string[]): TSchema | null {
  return values.length === 0 ? null : Type.Array(Type.Unsafe({ type: 'string', enum: [...values] }))
}

function filtersOf (columns: readonly string[]): TSchema | null {
  const filter = closed({
    column: Type.Unsafe({ type: 'string', enum: [...columns] }),
    op: Type.Unsafe({ type: 'string', enum: [...filterOperators] }),
    values: Type.Array(Type.String())
  })
  return columns.length === 0 ? null : Type.Array(filter)
}

function readHorizon (answer: ModelAnswer): HorizonWish[] {
  const { horizon_quantity: quantity, horizon_unit: unit, horizon_until: until } = answer as {
    horizon_quantity?: number | null
    horizon_unit?: HorizonUnit | null
    horizon_until?: string | null
  }
  if (quantity != null && unit != null) {
    if (!(quantity > 0 && quantity <= maxQuantity)) return []
    return [unit === 'steps'
      ? { kind: 'steps', quantity }
      : { kind: 'duration', quantity, unit: unit.slice(0, -1) as TimeUnit }]
  }
  const day = new Date(until != null && /^\d{4}-\d{2}-\d{2}$/.test(until) ? until : NaN)
  return Number.isNaN(day.getTime()) ? [] : [{ kind: 'until', day }]
}

/** The quoted words as the prompt has them, up to the end of the sentence. */
function readObjective (words: string, { text }: Reading): ReadWishes['objective'] {
  const place = quotedWords(text, words)
  if (place === undefined) return null
  const to = Math.min(place.to, text.sentenceEnd(place.from))
  const value = text.source(place.from, to).replaceAll(/\s+/g, ' ').slice(0, maxObjectiveLength)
  return value === '' ? null : { value, from: place.from, to }
}
