import type * as native from '#native'
import { locationColumns, type ExternalCovariatesSpec } from '../domain/external-covariates-spec.ts'
import type { Compression, FileFormat } from '../domain/files.ts'
import type { ForecastSpec } from '../domain/forecast-spec.ts'
import type { OutputLimits, TableLimits } from '../domain/limits.ts'
import { defined } from '../domain/defined.ts'

export interface CheckOptions {
  /** Files that are one table, in this order. */
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
  spec: ForecastSpec
  limits: TableLimits & OutputLimits
  /** Threads of this call; results do not depend on it. */
  threads: number
  /**
   * A file that `fineTune` wrote; then the preset is not looked at. A dataset that it does not fit is a content error.
   */
  modelPath?: string
  /** The file of covariates from outside, where the specification has any. */
  valuesPath?: string
}

/** napi takes a missing field as `None` and refuses `null`, so what is null is left out. */
export function datasetOptions (
  { inputPaths, format, compression, spec, limits, threads, modelPath, valuesPath }: CheckOptions
): native.DatasetOptions {
  const {
    freq,
    columns,
    sheetName,
    reconciliation,
    featureEngineering,
    modelId: _model,
    training,
    explainability: _analyses,
    preparation: _before,
    externalCovariates,
    ...rest
  } = spec
  return {
    inputPaths,
    format,
    ...(compression === null ? {} : { compression }),
    ...defined({ sheet: sheetName, reconciliation, featureEngineering }),
    ...(externalCovariates === undefined
      ? {}
      : { external: { ...locationOptions(externalCovariates), ...defined({ valuesPath }) } }),
    ...defined({ modelPath }),
    ...(training === undefined ? {} : { training: true }),
    threads,
    limits: { ...limits },
    spec: { ...rest, columns: { ...columns, covariates: columns.covariates ?? [] }, ...(freq === null ? {} : { freq }) }
  }
}

function locationOptions (specs: readonly ExternalCovariatesSpec[]): native.ExternalCovariateOptions {
  const [latitudeColumn, longitudeColumn] = locationColumns(specs)
  return latitudeColumn === undefined || longitudeColumn === undefined ? {} : { latitudeColumn, longitudeColumn }
}
