import { rm } from 'node:fs/promises'
import { locationColumns } from '../domain/external-covariates-spec.ts'
import type { JobWarning } from '../domain/job-result.ts'
import type { PreparationReport } from '../domain/preparation-spec.ts'
import { prepare, type CheckOptions, type EngineTask } from '../engine/index.ts'

/** What is forecast: the input itself, or the file that its preparation wrote. */
export interface PreparedInput {
  /** Options with the dataset that is to be read. */
  options: CheckOptions
  /** Absent if nothing was prepared. */
  preparation?: PreparationReport
  /** Warnings of the preparation. */
  warnings: JobWarning[]
  seconds: number
}

/** Prepares the input into `preparedPath` if the specification asks for it. Throws `EngineError`. */
export async function prepareInput (options: CheckOptions, preparedPath: string,
  task: EngineTask): Promise<PreparedInput> {
  const { preparation, sheetName: _sheet, ...spec } = options.spec
  if (preparation === undefined) return { options, warnings: [], seconds: 0 }
  const startedMs = performance.now()
  // The prepared file has to keep the columns that name locations.
  const covariates = [...new Set([...spec.columns.covariates ?? [], ...locationColumns(spec.externalCovariates)])]
  const { warnings, ...report } = await prepare({
    ...options,
    spec: { ...options.spec, columns: { ...spec.columns, covariates } },
    preparation,
    preparedPath
  }, task)
  const seconds = (performance.now() - startedMs) / 1000
  return {
    options: { ...options, spec, inputPaths: [preparedPath], format: 'parquet', compression: null },
    preparation: report,
    warnings,
    seconds
  }
}

/** Call it when the prepared file is no longer needed. */
export async function removePrepared (preparedPath: string): Promise<void> {
  await rm(preparedPath, { force: true })
}
