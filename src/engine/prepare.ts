import type { PreparationRequest, PreparationSummary } from '../domain/engine-documents.ts'
import type { PreparationSpec } from '../domain/preparation-spec.ts'
import { call } from './call.ts'
import type { CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'

export interface PrepareOptions extends CheckOptions {
  preparation: PreparationSpec
  /** The Parquet file to write, with item id, timestamp, target and covariates under their own names. */
  preparedPath: string
}

/**
 * Filters, groups, combines and repairs the rows of a dataset and writes them to a file that can be forecast. Throws
 * `EngineError`.
 */
export async function prepare ({ preparedPath, ...options }: PrepareOptions,
  task: EngineTask = createTask()): Promise<PreparationSummary> {
  return await call('prepare', preparationRequest(options, preparedPath), task)
}

/**
 * Checks that the dataset has the columns that its preparation needs, without reading all rows. Throws `EngineError`.
 */
export async function checkPreparation (options: CheckOptions & { preparation: PreparationSpec },
  task: EngineTask = createTask()): Promise<void> {
  await call('checkPreparation', preparationRequest(options, ''), task)
}

function preparationRequest (
  { inputPaths, format, compression, spec, limits, threads, preparation }: Omit<PrepareOptions, 'preparedPath'>,
  output: string
): PreparationRequest {
  const { columns, freq, sheetName = null, reconciliation } = spec
  const { filters, seriesColumns = null, step, aggregate, across = null, missing, anomalies } = preparation
  const hierarchy = reconciliation === undefined || reconciliation.hierarchyColumns.length === 0
    ? null
    : {
      columns: reconciliation.hierarchyColumns,
      separator: reconciliation.separator,
      totalLabel: reconciliation.totalLabel
    }
  return {
    ...{ inputPaths, format, compression, sheet: sheetName, columns, hierarchy, freq, limits, threads },
    ...{ filters, seriesColumns, step, aggregate, across, missing, anomalies, output }
  }
}
