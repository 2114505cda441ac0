import * as native from '#native'
import type { JobWarning } from '../domain/job-result.ts'
import type { PreparationReport, PreparationSpec } from '../domain/preparation-spec.ts'
import { datasetOptions, type CheckOptions } from './dataset-options.ts'
import { createTask, type EngineTask } from './engine-task.ts'
import { toEngineError, unwrap } from './reply.ts'
import { defined } from '../domain/defined.ts'

export interface PrepareOptions extends CheckOptions {
  preparation: PreparationSpec
  /** The Parquet file to write: item id, timestamp, target and covariates under their own names. */
  preparedPath: string
}

export interface PrepareSummary {
  report: PreparationReport
  warnings: JobWarning[]
}

/**
 * Filters, groups, combines and mends the rows of a dataset and writes them as a file that can be forecast; throws
 * `EngineError`.
 */
export async function prepare ({ preparation, preparedPath, ...options }: PrepareOptions,
  task: EngineTask = createTask()): Promise<PrepareSummary> {
  const { rowsWritten: _rows, warnings, anomalies: { found, changed, examples }, ...rest } = unwrap(
    await native.prepare(datasetOptions(options), preparationOptions(preparation), preparedPath,
      task as native.TaskHandle)
  )
  return {
    report: {
      ...rest,
      filtered: rest.filtered as PreparationReport['filtered'],
      anomalies: {
        found,
        changed,
        examples: examples.map(({ usedInstead, ...example }) => ({ ...example, usedInstead: usedInstead ?? null }))
      }
    },
    warnings
  }
}

/**
 * Checks that the dataset has the columns that its preparation needs, however many rows it has; throws `EngineError`.
 */
export async function checkPreparation ({ preparation, ...options }: CheckOptions & { preparation: PreparationSpec },
  task: EngineTask = createTask()): Promise<void> {
  const { error } = await native.checkPreparation(datasetOptions(options), preparationOptions(preparation),
    task as native.TaskHandle)
  if (error !== undefined) throw toEngineError(error)
}

function preparationOptions ({ step, seriesColumns, ...rest }: PreparationSpec): native.PreparationOptions {
  return { ...rest, ...(step === null ? {} : { step }), ...defined({ seriesColumns }) }
}
