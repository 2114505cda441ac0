import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import { isTabular } from '../../domain/job.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import type { Config } from '../../platform/config.ts'
import { covariateCount, featureCount, plotFigures, regressorCount } from './job-cost.ts'
import { storedInput, type JobRecord } from './job-record.ts'

/** The report, the records of the result, and what the files of a small job take beyond their content. */
const besidesBytes = 128 * 1024
/** Of a row: in Parquet a number or a time stamp; in CSV a time stamp, and a number, with their separators. */
const cellBytes = 8
const stampBytes = 21
const numberBytes = 19
/** Where rows were not counted before the job, this many bytes count as one row, as they do in quotas. */
const bytesPerRow = 32
/** Of a Shapley value: a row of its own, with the row and the feature that it is of. */
const shapleyBytes = 60
/** Columns of predictions besides identifiers: labels, numbers and probabilities. Each class has a probability. */
const predictedColumns = 8

/**
 * The bytes that a job's result will take, estimated before it runs. Ids repeat in each row of a CSV. What is in a
 * tenant's own store is unknown, and counts nothing.
 */
export function resultBytes (record: Pick<JobRecord, 'spec' | 'profile' | 'input'>,
  { MAX_CSV_BYTES: maxCsvBytes, MAX_FORECAST_POINTS: maxPoints }: Config): number {
  const { spec, profile } = record
  const bytes = storedInput(record)?.bytes ?? 0
  const rows = profile?.rows ?? Math.ceil(bytes / bytesPerRow)
  const explained = Math.min(maxCsvBytes, shapleyValues(record, rows) * shapleyBytes)
  if (isTabular(spec)) {
    const classes = profile !== null && 'labeledRows' in profile ? profile.classes ?? 0 : 0
    return besidesBytes + explained + 2 * (bytes + rows * (predictedColumns + classes) * numberBytes)
  }
  // The trained model is bounded by the number of models.
  if (spec.training !== undefined) return besidesBytes
  if (profile === null || !('series' in profile)) {
    // Nothing is known of its series: they are taken to be as long as the forecast.
    return besidesBytes + explained + tableBytes(Math.min(maxPoints, rows), bytes, bytes, spec, maxCsvBytes)
  }
  const series = profile.nodes ?? profile.series
  const ids = idBytes(profile, bytes)
  const points = Math.min(maxPoints, series * spec.predictionLength)
  return besidesBytes + explained + tableBytes(points, ids, ids * spec.predictionLength, spec, maxCsvBytes) +
    plotFigures(profile, spec) * numberBytes
}

/**
 * At most how many bytes the ids of all series and sums have. A text file has each id once a row of its series, so
 * together they have at most its bytes divided by the rows of the shortest series.
 */
export function idBytes ({ series, nodes = series, minLength }: DatasetProfile, bytes: number): number {
  return bytes / Math.max(1, minLength) * (nodes / Math.max(1, series))
}

/** At most how many Shapley values the analyses write: one for each explained row and feature. */
function shapleyValues ({ spec, profile }: Pick<JobRecord, 'spec' | 'profile'>, rows: number): number {
  const { explainability } = spec
  if (explainability?.analyses.includes('shap') !== true) return 0
  const { maxRows, maxFeatures, shapSampleSize } = explainability
  const columns = profile !== null && 'columns' in profile ? profile.columns : Infinity
  const width = isTabular(spec) ? columns : featureCount(spec.featureEngineering, regressorCount(covariateCount(spec)))
  return Math.min(maxRows, shapSampleSize, rows) * Math.min(maxFeatures, width)
}

/** The CSV is left out above its limit, and made later as a file of its own. */
function tableBytes (rows: number, ids: number, repeatedIds: number, { quantileLevels }: ForecastSpec,
  maxCsvBytes: number): number {
  const numbers = quantileLevels.length + 1
  const csv = rows * (stampBytes + numberBytes * numbers) + repeatedIds
  return Math.ceil(rows * cellBytes * (numbers + 1) + ids + Math.min(csv, maxCsvBytes))
}
