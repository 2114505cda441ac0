import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent, IntentFilter } from '../../domain/forecast-intent.ts'
import { inferredWeight } from './choices/choice.ts'
import { chooseColumns } from './choices/choose-columns.ts'
import { chooseGranularity } from './choices/choose-granularity.ts'
import { chooseHorizon } from './choices/choose-horizon.ts'
import { chooseSeasonality } from './choices/choose-seasonality.ts'
import { chooseTarget } from './choices/choose-target.ts'
import { chooseTimeColumn } from './choices/choose-time-column.ts'
import { askForUnread } from './choices/unread-horizon.ts'
import { filterText } from '../recommendations/filter-values.ts'
import { measureCoverage, notUsedLead, type Coverage } from './not-used.ts'
import { chooseQuestions, missingFields } from './questions.ts'
import type { ReadWishes } from './read-wishes.ts'
import { combiningWishes } from './wishes/combining.ts'
import { isCorrected, withoutTakenBack } from './wishes/corrections.ts'
import type { Finding, Reading, Wish } from './reading.ts'
import { askForUnknown } from './unknown-rows.ts'

const maxConstraints = 10
/** Findings of required fields, which count by the choice that was made, and those that are no part of the intent. */
const notCounted = ['forecast_target', 'horizon', 'granularity', 'time_column', 'none', 'unknown_target',
  'unplaced_target', 'unknown_rows']

type Draft = Omit<ForecastIntent,
  'missing_required_fields' | 'clarification_questions' | 'review_status' | 'confidence'>

/**
 * Assembles the intent that was read from a prompt. Each field comes from the findings, else from the data; else it is
 * null, and a question asks for it.
 */
export function assembleIntent (wishes: ReadWishes): ForecastIntent {
  const { reading, findings, objective } = wishes
  const { data } = reading
  const target = chooseTarget(findings, reading)
  const { granularity, alias } = chooseGranularity(findings, data)
  const horizon = askForUnread(chooseHorizon(reading, findings, granularity.value, alias), reading, usedTokens(wishes))
  const combining = combiningWishes(reading, findings, target.value ?? data.roles.target)
  const whole: Finding[] = combining.isWhole
    ? [{ field: 'grand_total', value: null, from: 0, to: 0, weight: inferredWeight }]
    : []
  const columns = chooseColumns([...findings, ...whole], data, target.value)
  const timeColumn = chooseTimeColumn(findings, reading)

  const coverage = coverageOf(wishes)
  const unknownRows = namedRows(wishes)
  const constraints = [
    ...new Set([...combining.constraints, ...all(findings, 'user_constraints'),
      ...unknownRows.map((words) => `${notUsedLead}${words}`), ...columns.refused.map((name) => `without ${name}`)])
  ].slice(0, maxConstraints)

  const draft: Draft = {
    business_objective: objective?.value ?? null,
    forecast_target: target.value,
    time_column: timeColumn.value,
    granularity: granularity.value,
    horizon: horizon.value.steps,
    forecast_frequency: alias,
    horizon_quantity: horizon.value.quantity,
    horizon_unit: horizon.value.unit,
    entity_columns: columns.entity,
    grouping_dimensions: columns.grouping,
    filters: settledFilters(findings, reading),
    covariates: columns.covariates,
    known_future_features: columns.knownAhead,
    historical_features: columns.historical,
    evaluation_metric: settled(findings, 'evaluation_metric', reading) ?? 'MAPE',
    backtest_strategy: settled(findings, 'backtest_strategy', reading) ?? 'holdout',
    confidence_intervals: [...new Set(all(findings, 'confidence_intervals').flat())].sort((one, other) => one - other),
    seasonality: chooseSeasonality(findings, data, alias),
    anomaly_handling: settled(findings, 'anomaly_handling', reading) ?? 'none',
    missing_data_handling: settled(findings, 'missing_data_handling', reading) ?? 'ffill',
    user_constraints: [...constraints, ...coverage.notUsed],
    deployment_target: settled(findings, 'deployment_target', reading) ?? 'one_off'
  }
  const required = [target, horizon, granularity, timeColumn]
  const missing = missingFields(draft)
  const questions = chooseQuestions([...required.flatMap(({ question }) => question ?? []),
    ...askForUnknown([...unknownRows, ...weekendsLeftOut(findings, data)], coverage.lost, findings, reading)])
  const counted = findings.filter(({ field }) => !notCounted.includes(field))
  const weights = [...required, ...counted].map(({ weight }) => weight)
  return {
    ...draft,
    review_status: missing.length > 0 || questions.length > 0 ? 'needs_clarification' : 'draft',
    missing_required_fields: missing,
    clarification_questions: questions,
    confidence: Math.round(mean(weights) * coverage.share * 100) / 100
  }
}

/** Rows that the data do not have. The purpose of a forecast names no rows: `for Marketing purposes`. */
function namedRows ({ findings, objective }: ReadWishes): string[] {
  return all(
    findings.filter(({ from, to }) => objective === null || from < objective.from || to > objective.to),
    'unknown_rows'
  )
}

/** Filters cannot select days of the week. If the data have no weekends anyway, there is nothing to leave out. */
function weekendsLeftOut (findings: readonly Finding[], { series }: DataProfile): string[] {
  return all(findings, 'user_constraints').filter((constraint) =>
    constraint === 'without weekends' && series?.coversWeekends === true
  )
}

/** Measures how much of the prompt the findings account for. */
export function coverageOf (wishes: ReadWishes): Coverage {
  return measureCoverage(wishes.reading.text, usedTokens(wishes), wishes.isByModel !== true)
}

function usedTokens ({ reading: { text }, findings, objective }: ReadWishes): (index: number) => boolean {
  const used = new Uint8Array(text.tokens.length)
  // Words in the place of the target that name nothing in the file were not understood, even if a question asks about
  // them.
  for (const { from, to } of [...findings.filter(({ field }) => field !== 'unplaced_target'),
    ...objective === null ? [] : [objective]]) used.fill(1, Math.max(0, from), to)
  return (index) => used[index] === 1
}

type Field = Wish['field']
type ValueOf<F extends Field> = Extract<Wish, { field: F }>['value']

function all<F extends Field> (findings: readonly Finding[], field: F): ValueOf<F>[] {
  return findings.filter((finding) => finding.field === field).map(({ value }) => value as ValueOf<F>)
}

function settled<F extends Field> (findings: readonly Finding[], field: F, reading: Reading): ValueOf<F> | undefined {
  return all(withoutTakenBack(findings.filter((finding) => finding.field === field), reading), field)[0]
}

/**
 * Removes contradictions from the filters and joins them. If the prompt replaces a value by another one (`Queensgate -
 * no, make that Riverside`), only the other one stays. A value that is also excluded is dropped. Of several values of a
 * column the surest ones stay and form one list, because no row has two of them.
 */
function settledFilters (findings: readonly Finding[], reading: Reading): IntentFilter[] {
  const ofRows = findings.filter((finding) => finding.field === 'filters')
  const standing = ofRows.filter((finding, index) => {
    const next = ofRows[index + 1]
    return next === undefined || equalColumn(finding) === undefined || equalColumn(finding) !== equalColumn(next) ||
      !isCorrected(reading, finding.to, next.from)
  })
  const surest = new Map<string, number>()
  for (const finding of standing) {
    const column = equalColumn(finding)
    if (column !== undefined) surest.set(column, Math.max(finding.weight, surest.get(column) ?? 0))
  }
  const sure = standing.filter((finding) => finding.weight >= (surest.get(equalColumn(finding) ?? '') ?? 0))
  const filters = [
    ...new Map(sure.flatMap(({ value }) => value).map((filter) => [JSON.stringify(filter), filter])).values()
  ]
  // `Cardiff instead of Croydon` wants Cardiff.
  const isLeftOut = ({ column, op, value }: IntentFilter): boolean =>
    filters.some((other) =>
      other.column === column && ((op === 'eq' && other.op === 'ne' && other.value === value) ||
        (op === 'ne' && other.op === 'eq' && other.value !== value))
    )
  const kept = filters.filter((filter) => !isLeftOut(filter))
  return kept.flatMap((filter) => {
    const same = filter.op === 'eq'
      ? kept.filter(({ column, op }) => op === 'eq' && column === filter.column)
      : [filter]
    if (same.length === 1) return [filter]
    return same[0] === filter
      ? [{ column: filter.column, op: 'in' as const, value: filterText(same.map(({ value }) => value)) }]
      : []
  })
}

/** The column of a filter that requires a single value. */
function equalColumn ({ value: [filter, second] }: Extract<Finding, { field: 'filters' }>): string | undefined {
  return filter?.op === 'eq' && second === undefined ? filter.column : undefined
}

function mean (weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0) / weights.length
}
