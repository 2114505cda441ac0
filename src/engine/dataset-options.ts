import type { DatasetOptions } from '../domain/engine-documents.ts'
import { locationColumns } from '../domain/external-covariates-spec.ts'
import type { Compression, FileFormat } from '../domain/files.ts'
import type { ForecastSpec } from '../domain/forecast-spec.ts'
import type { OutputLimits, TableLimits } from '../domain/limits.ts'

export interface CheckOptions {
  /** Files that form one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: ForecastSpec
  limits: TableLimits & OutputLimits
  /** Threads for this call; results do not depend on the number. */
  threads: number
  /**
   * A file that `fineTune` wrote; if it is set, the preset is ignored. A dataset that does not fit the model is a
   * content error.
   */
  modelPath?: string
  /** The file of covariates from outside, if the specification has any. */
  valuesPath?: string
}

/** Turns a specification and its input files into the options that the engine reads. */
export function datasetOptions (
  { inputPaths, format, compression, spec, limits, threads, modelPath, valuesPath }: CheckOptions
): DatasetOptions {
  const { predictionLength, preset, columns, freq, quantileLevels, timestampFormat, quantileColumnStyle } = spec
  const [latitude, longitude] = locationColumns(spec.externalCovariates)
  return {
    ...{ inputPaths, format, compression, sheet: spec.sheetName ?? null, limits, threads },
    ...{ predictionLength, preset, columns, freq, quantileLevels, timestampFormat, quantileColumnStyle },
    maxForecastPoints: limits.maxForecastPoints,
    maxOutputBytes: limits.maxOutputBytes,
    budgetSeconds: null,
    reconciliation: spec.reconciliation ?? null,
    featureEngineering: spec.featureEngineering ?? null,
    explain: null,
    external: spec.externalCovariates === undefined
      ? null
      : {
        locationColumns: latitude === undefined || longitude === undefined ? null : [latitude, longitude],
        valuesPath: valuesPath ?? null
      },
    modelPath: modelPath ?? null,
    isTraining: spec.training !== undefined
  }
}
