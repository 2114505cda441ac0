import { rm } from 'node:fs/promises'
import { locationColumns } from '../domain/external-covariates-spec.ts'
import type { JobWarning } from '../domain/job-result.ts'
import type { PreparationReport } from '../domain/preparation-spec.ts'
import { prepare, type CheckOptions, type EngineTask } from '../engine/index.ts'

/** What is forecast: the input as it is, or the file that its preparation made of it. */
export interface PreparedInput {
  /** With the dataset that is left to be read. */
  options: CheckOptions
  /** Absent: nothing was prepared. */
  preparation?: PreparationReport
  /** Of the preparation. */
  warnings: JobWarning[]
  /** Seconds. */
  seconds: number
}

/** Prepares the input of a specification that asks for it, into `preparedPath`; throws `EngineError`. */
export async function prepareInput (options: CheckOptions, preparedPath: string,
  task: EngineTask): Promise<PreparedInput> {
  const { preparation, sheetName: _sheet, ...spec } = options.spec
  if (preparation === undefined) return { options, warnings: [], seconds: 0 }
  const startedMs = performance.now()
  // Places are columns that the file has to keep.
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

/** What the prepared file was for is done. */
export async function removePrepared (preparedPath: string): Promise<void> {
  await rm(preparedPath, { force: true })
}
