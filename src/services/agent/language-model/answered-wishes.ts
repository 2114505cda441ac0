import type { AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, Granularity, HorizonUnit,
  MissingDataHandling } from '../../../domain/intent-values.ts'
import type { ReadWishes } from '../read-wishes.ts'
import type { Finding, Reading, Wish } from '../reading.ts'
import type { HorizonWish, TimeUnit } from '../time/horizon-wish.ts'
import { readFilters, type AnsweredFilter } from './answered-filters.ts'
import { quotedWords } from './quoted-words.ts'

/** The fields that an answer may have after validation. Fields that were not open or not valid are missing. */
interface Answer {
  forecast_target: string | null
  time_column: string | null
  granularity: Granularity | null
  horizon_quantity: number | null
  horizon_unit: HorizonUnit | null
  horizon_until: string | null
  grouping_dimensions: string[]
  filters: AnsweredFilter[]
  covariates: string[]
  evaluation_metric: EvaluationMetric | null
  backtest_strategy: BacktestStrategy | null
  confidence_intervals: number[]
  anomaly_handling: AnomalyHandling | null
  missing_data_handling: MissingDataHandling | null
  deployment_target: DeploymentTarget | null
  user_constraints: string[]
  business_objective: string | null
  quotes: string[]
}

/** This weight is below that of explicit wishes. */
const modelWeight = 0.5
const maxQuantity = 100_000
const maxIntervals = 5
const maxQuotes = 20
const maxObjectiveLength = 200

/**
 * Turns an answer into wishes that the rules assemble with their own. An answer names lengths and ends, never steps. Of
 * texts it may only contain words of the prompt.
 */
export function answeredWishes (valid: Partial<Answer>, reading: Reading): Pick<ReadWishes, 'findings' | 'objective'> {
  const { data, text } = reading
  const target = data.columns.find(({ name }) => name === valid.forecast_target)
  const horizon = readHorizon(valid)
  const filters = readFilters(valid.filters ?? [], data, text.original)
  const intervals = (valid.confidence_intervals ?? []).map((share) => Math.round(share * 1e4) / 1e4).filter((share) =>
    share > 0 && share < 1
  ).slice(0, maxIntervals)
  const { grouping_dimensions: grouping = [], covariates = [] } = valid
  const wishes: Array<Wish | false> = [
    target !== undefined && { field: 'forecast_target', value: [target] },
    valid.time_column != null && { field: 'time_column', value: valid.time_column },
    valid.granularity != null && { field: 'granularity', value: valid.granularity },
    horizon !== undefined && { field: 'horizon', value: horizon },
    grouping.length > 0 && { field: 'grouping', value: grouping },
    filters.length > 0 && { field: 'filters', value: filters },
    covariates.length > 0 && { field: 'covariates', value: { columns: covariates, isUsed: true } },
    valid.evaluation_metric != null && { field: 'evaluation_metric', value: valid.evaluation_metric },
    valid.backtest_strategy != null && { field: 'backtest_strategy', value: valid.backtest_strategy },
    intervals.length > 0 && { field: 'confidence_intervals', value: intervals },
    valid.anomaly_handling != null && { field: 'anomaly_handling', value: valid.anomaly_handling },
    valid.missing_data_handling != null && { field: 'missing_data_handling', value: valid.missing_data_handling },
    valid.deployment_target != null && { field: 'deployment_target', value: valid.deployment_target },
    ...[...new Set(valid.user_constraints)].map((value): Wish => ({ field: 'user_constraints', value }))
  ]
  // The findings have no words in the prompt; the quotes tell what they are based on.
  const findings = wishes.filter((wish) => wish !== false).map((wish): Finding => ({
    ...wish,
    from: 0,
    to: 0,
    weight: modelWeight
  }))
  return { findings, objective: readObjective(valid.business_objective ?? '', reading) }
}

/** Marks the quoted words of an answer as used. Quotes that are not in the prompt are ignored. */
export function answeredQuotes ({ quotes = [] }: Partial<Answer>, { text }: Reading): Finding[] {
  const places = quotes.slice(0, maxQuotes).map((quote) => quotedWords(text, quote)).filter((place) =>
    place !== undefined
  )
  return places.map((place): Finding => ({ field: 'none', value: null, ...place, weight: modelWeight }))
}

function readHorizon (
  { horizon_quantity: quantity, horizon_unit: unit, horizon_until: until }: Partial<Answer>
): HorizonWish | undefined {
  if (quantity != null && unit != null) {
    if (!(quantity > 0 && quantity <= maxQuantity)) return undefined
    return unit === 'steps'
      ? { kind: 'steps', quantity }
      : { kind: 'duration', quantity, unit: unit.slice(0, -1) as TimeUnit }
  }
  const day = until != null && /^\d{4}-\d{2}-\d{2}$/.test(until) ? new Date(until) : undefined
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : { kind: 'until', day }
}

/** The quoted words as the prompt has them, up to the end of the sentence. */
function readObjective (words: string, { text }: Reading): ReadWishes['objective'] {
  const place = quotedWords(text, words)
  if (place === undefined) return null
  const to = Math.min(place.to, text.sentenceEnd(place.from))
  const value = text.source(place.from, to).replaceAll(/\s+/g, ' ').slice(0, maxObjectiveLength)
  return value === '' ? null : { value, from: place.from, to }
}
