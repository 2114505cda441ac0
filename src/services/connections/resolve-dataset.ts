import type { ConnectionDataset } from '../../domain/connection.ts'
import type { FieldError } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { ReconciliationBlock } from '../forecasts/blocks/reconciliation.ts'
import { canonicalFrequency } from '../forecasts/frequency-alias.ts'
import { hierarchyClashes, hierarchyOf, resolveReconciliation } from '../forecasts/resolve-reconciliation.ts'
import { defined } from '../../platform/defined.ts'

export interface DatasetRequest {
  item_id_column: string
  timestamp_column: string
  target_column: string
  freq?: string | null
  known_covariates: string[]
  reconciliation?: ReconciliationBlock | null
}

/** The columns that a validation looks for. Throws validation_error (422) with every wrong field. */
export function resolveDataset (request: DatasetRequest): ConnectionDataset {
  const fields: FieldError[] = []
  const alias = request.freq ?? ''
  const freq = alias === '' ? null : canonicalFrequency(alias) ?? null
  if (alias !== '' && freq === null) {
    fields.push({
      loc: ['body', 'freq'],
      msg: 'Input should be a pandas frequency alias such as h, D, W-MON or MS',
      type: 'frequency_alias',
      input: alias
    })
  }
  const taken = new Set<string>()
  const roles = [['item_id_column', request.item_id_column], ['timestamp_column', request.timestamp_column], [
    'target_column',
    request.target_column
  ]] as const
  for (const [field, name] of [...roles,
    ...request.known_covariates.map((one) => ['known_covariates', one] as const)]) {
    const error = 'each role needs a column of its own'
    if (taken.has(name)) {
      fields.push({
        loc: ['body', field],
        msg: error,
        type: 'value_error',
        input: name,
        ctx: { error }
      })
    }
    taken.add(name)
  }
  const reconciliation = resolveReconciliation(request.reconciliation)
  fields.push(
    ...hierarchyClashes(reconciliation, [request.timestamp_column, request.target_column, ...request.known_covariates])
  )
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  const hierarchy = hierarchyOf(reconciliation)
  return {
    columns: {
      itemId: request.item_id_column,
      timestamp: request.timestamp_column,
      target: request.target_column,
      covariates: request.known_covariates
    },
    freq,
    ...defined({ hierarchy })
  }
}
