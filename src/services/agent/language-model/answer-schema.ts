import { Type, type TObject, type TSchema } from 'typebox'
import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { anomalyHandlings, backtestStrategies, deploymentTargets, evaluationMetrics, filterOperators, granularities,
  horizonUnits, missingDataHandlings } from '../../../domain/intent-values.ts'
import { mayBeTarget, mayExplain, mayGroup } from '../columns/column-roles.ts'
import { namedConstraints } from '../wishes/plain.ts'
import { describedColumns } from './described-data.ts'
import type { OpenField } from './open-fields.ts'

/**
 * The schema of the answer: the open fields, with an enum of the possible columns for each. It only uses what servers
 * with constrained decoding have in common: all properties required, no others, nullable by lists of types. Limits are
 * checked when the answer is read.
 */
export function answerSchema (open: ReadonlySet<OpenField>, data: DataProfile): TObject {
  const named = (fits: (column: ProfiledColumn) => boolean) =>
    describedColumns(data).filter(fits).map(({ name }) => name)
  const candidates: Record<OpenField, Record<string, TSchema | null>> = {
    forecast_target: { forecast_target: oneOf(named(mayBeTarget)) },
    time_column: { time_column: oneOf(named(({ kind }) => kind === 'timestamp' || kind === 'text')) },
    granularity: { granularity: oneOf(granularities.filter((granularity) => granularity !== 'irregular')) },
    horizon: { horizon_quantity: orNull('number'), horizon_unit: oneOf(horizonUnits), horizon_until: orNull('string') },
    grouping: { grouping_dimensions: someOf(named(mayGroup)) },
    filters: { filters: filtersOf(named(({ kind }) => kind !== 'empty' && kind !== 'other')) },
    covariates: { covariates: someOf(named((column) => mayExplain(column, data))) },
    evaluation_metric: { evaluation_metric: oneOf(evaluationMetrics) },
    backtest_strategy: { backtest_strategy: oneOf(backtestStrategies) },
    confidence_intervals: { confidence_intervals: Type.Array(Type.Number()) },
    anomaly_handling: { anomaly_handling: oneOf(anomalyHandlings) },
    missing_data_handling: { missing_data_handling: oneOf(missingDataHandlings) },
    deployment_target: { deployment_target: oneOf(deploymentTargets) },
    user_constraints: { user_constraints: someOf(namedConstraints) },
    business_objective: { business_objective: orNull('string') }
  }
  const properties = Object.entries(candidates).filter(([field]) => open.has(field as OpenField)).flatMap((
    [, fields]
  ) => Object.entries(fields))
  return closed({
    ...Object.fromEntries(properties.filter((entry): entry is [string, TSchema] => entry[1] !== null)),
    quotes: Type.Array(Type.String())
  })
}

function closed (properties: Record<string, TSchema>): TObject {
  return Type.Object(properties, { additionalProperties: false })
}

function orNull (type: 'string' | 'number'): TSchema {
  return Type.Unsafe({ type: [type, 'null'] })
}

/** null: there is nothing to choose from. */
function oneOf (values: readonly string[]): TSchema | null {
  return values.length === 0 ? null : Type.Unsafe({ type: ['string', 'null'], enum: [...values, null] })
}

function someOf (values: readonly string[]): TSchema | null {
  return values.length === 0 ? null : Type.Array(Type.Unsafe({ type: 'string', enum: [...values] }))
}

function filtersOf (columns: readonly string[]): TSchema | null {
  if (columns.length === 0) return null
  return Type.Array(
    closed({
      column: Type.Unsafe({ type: 'string', enum: [...columns] }),
      op: Type.Unsafe({ type: 'string', enum: [...filterOperators] }),
      values: Type.Array(Type.String())
    })
  )
}
