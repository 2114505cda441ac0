import type { FieldError } from '../../domain/error-codes.ts'
import type { PreparationSpec } from '../../domain/preparation-spec.ts'
import type { PreparationBlock } from './blocks/preparation.ts'
import { canonicalFrequency } from './frequency-alias.ts'

interface Roles {
  timestamp: string
  target: string
  covariates: readonly string[]
}

/** undefined when no preparation is requested, so the rows are used as they are. Errors go into `fields`. */
export function resolvePreparation (block: PreparationBlock | null | undefined, roles: Roles, fields: FieldError[]):
  | PreparationSpec
  | undefined {
  if (block === null || block === undefined) return undefined
  const { filters, series_columns: seriesColumns, aggregate, across, missing, anomalies } = block
  const wrong = (path: Array<string | number>, input: unknown, error: string): void => {
    fields.push({ loc: ['body', 'preparation', ...path], msg: error, type: 'value_error', input, ctx: { error } })
  }
  const step = typeof block.step === 'string' ? canonicalFrequency(block.step) ?? null : null
  if (typeof block.step === 'string' && step === null) {
    wrong(['step'], block.step, 'a step is a pandas frequency alias such as h, D, W, MS or QS')
  }
  filters.forEach(({ op, values }, index) => {
    const count = op === 'between' ? 2 : op === 'in' || op === 'not_in' ? values.length : 1
    if (values.length !== count) {
      wrong(['filters', index, 'values'], values, `${op} takes ${count === 1 ? 'one value' : 'two values'}`)
    }
  })
  for (const name of seriesColumns ?? []) {
    if ([roles.timestamp, roles.target, ...roles.covariates].includes(name)) {
      wrong(['series_columns'], name,
        'a column that names the series cannot be the timestamp, the target or a covariate as well')
    }
  }
  const isIdle = filters.length === 0 && (seriesColumns ?? null) === null && step === null && missing === 'none' &&
    anomalies === 'none'
  if (isIdle) return undefined
  return {
    filters,
    ...(seriesColumns === null || seriesColumns === undefined ? {} : { seriesColumns }),
    step,
    aggregate,
    ...(across === null || across === undefined ? {} : { across }),
    missing,
    anomalies
  }
}

/** The columns of a hierarchy already name the series, so series columns would name them twice. */
export function doublyNamedSeries (hierarchyColumns: readonly string[],
  preparation: PreparationSpec | undefined): FieldError[] {
  if (preparation?.seriesColumns === undefined || hierarchyColumns.length === 0) return []
  const error =
    'give the columns of the series in reconciliation.hierarchy_columns or in preparation.series_columns, not in both'
  return [{
    loc: ['body', 'preparation', 'series_columns'],
    msg: error,
    type: 'value_error',
    input: preparation.seriesColumns,
    ctx: { error }
  }]
}
