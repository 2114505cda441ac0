import { Type, type Static, type TObject } from 'typebox'
import type { FieldError } from '../../domain/error-codes.ts'
import type { JobSpec } from '../../domain/job.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { KnownSources } from '../../sources/covariates/resolve-external-covariates.ts'
import { forecastOptions } from '../forecasts/forecast-request.ts'
import { resolveForecast } from '../forecasts/resolve-forecast.ts'
import type { FindModel } from '../forecasts/use-model.ts'
import { covariateCount } from '../jobs/job-cost.ts'
import { resolveTabular } from '../tables/resolve-tabular.ts'
import { tabularOptions } from '../tables/tabular-request.ts'
import type { ForecastCounts, TableCounts } from './workload.ts'

/** The deployment's limits, as GET /limits names them. Nothing above them would be accepted as a job. */
export interface EstimateLimits {
  maxHorizon: number
  maxRows: number
  maxColumns: number
  maxSeries: number
}

const count = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum }), Type.Null()], {
      description: `${description} At most ${maximum.toLocaleString('en-US')}.`
    })
  )

/** Body of POST /estimate/runtime and /estimate/cost: the shape of the data and the options of the job. */
export function estimateOptions ({ maxHorizon, maxRows, maxColumns, maxSeries }: EstimateLimits) {
  const { name: _name, metadata: _metadata, callback_url: _callbackUrl, ...options } = forecastOptions(maxHorizon)
  return {
    object_id: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Null()], {
      description:
        'Id of a stored object; the service reads its size from the file. Otherwise send num_items and total_rows, ' +
        'or for a table rows and columns.'
    })),
    num_items: count(1, maxSeries, 'Series of the dataset.'),
    total_rows: count(1, maxRows, 'Rows of the dataset.'),
    num_covariates: count(0, maxColumns,
      'Columns of covariates; null or left out: as many as `covariates` and `external_covariates` name.'),
    problem: Type.Optional(
      Type.Union([Type.Enum(['classification', 'regression']), Type.Null()], {
        description: 'Estimates a classification or regression instead of a forecast.'
      })
    ),
    rows: count(1, maxRows, 'Rows of the table; only with `problem`.'),
    columns: count(2, maxColumns, 'Columns of the table; only with `problem`.'),
    label_column: tabularOptions('classification').label_column,
    ...options
  }
}

export type EstimateRequest = Static<TObject<ReturnType<typeof estimateOptions>>>

/** The job whose cost is asked for, and what is known of its data. */
export interface EstimateQuestion {
  spec: JobSpec
  data: { objectId: string } | { counts: ForecastCounts } | { table: TableCounts }
}

/** Throws validation_error or invalid_preset, as the job itself would. */
export function resolveEstimate (request: EstimateRequest, findModel: FindModel,
  sources: KnownSources): EstimateQuestion {
  const {
    object_id: objectId,
    num_items: series,
    total_rows: rows,
    num_covariates: covariates,
    problem,
    rows: tableRows,
    columns,
    label_column: labelColumn,
    ...options
  } = request
  const wrong = misplaced(request)
  if (wrong.length > 0) throw new TabcastError('validation_error', undefined, { fields: wrong })
  if (isGiven(problem)) {
    const spec = resolveTabular(problem, {
      label_column: labelColumn,
      problem_type: 'auto',
      train_split_ratio: 0.8,
      inference_mode: 'auto',
      validation_holdout_ratio: 0.2,
      explainability: options.explainability ?? null
    })
    return {
      spec,
      data: isGiven(objectId) ? { objectId } : { table: { rows: tableRows as number, columns: columns as number } }
    }
  }
  const spec = resolveForecast({ ...options, name: null, metadata: null, callback_url: null }, findModel, sources)
  if (isGiven(objectId)) return { spec, data: { objectId } }
  return {
    spec,
    data: { counts: { series: series as number, rows: rows as number, covariates: covariates ?? covariateCount(spec) } }
  }
}

type CountField = 'object_id' | 'num_items' | 'total_rows' | 'num_covariates' | 'rows' | 'columns'

function misplaced (request: EstimateRequest): FieldError[] {
  const isTable = isGiven(request.problem)
  const hasObject = isGiven(request.object_id)
  const needed: CountField[] = hasObject ? [] : isTable ? ['rows', 'columns'] : ['num_items', 'total_rows']
  const allowed = new Set<CountField>(['object_id', ...needed,
    ...hasObject || isTable ? [] : ['num_covariates' as const]])
  const all: CountField[] = ['num_items', 'total_rows', 'num_covariates', 'rows', 'columns']
  const missing = needed.filter((name) => !isGiven(request[name]))
  const surplus = all.filter((name) => isGiven(request[name]) && !allowed.has(name))
  const fields = [
    ...missing.map((name) =>
      field(name, undefined,
        isTable ? 'a table needs object_id, or rows and columns' : 'give object_id, or num_items and total_rows')
    ),
    ...surplus.map((name) =>
      field(name, request[name], hasObject
        ? 'the object says it'
        : isTable
        ? 'belongs to a forecast; a table has rows and columns'
        : 'belongs to a table, which needs problem as well')
    )
  ]
  const { num_items: series, total_rows: rows } = request
  if (fields.length === 0 && isGiven(series) && isGiven(rows) && rows < series) {
    fields.push(field('total_rows', rows, 'each series has a row at least'))
  }
  return fields
}

function field (name: CountField, input: unknown, error: string): FieldError {
  if (input === undefined) return { loc: ['body', name], msg: `Field required: ${error}`, type: 'missing', input: null }
  return { loc: ['body', name], msg: error, type: 'value_error', input, ctx: { error } }
}

function isGiven<T> (value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}
