import { isTabular } from '../../domain/job.ts'
import type { JobRecord } from './job-record.ts'

/** The name of a job's table in each format. */
export interface TableFiles {
  csv: string
  parquet: string
}

const forecastFiles: TableFiles = { csv: 'forecast.csv', parquet: 'forecast.parquet' }
const predictionFiles: TableFiles = { csv: 'predictions.csv', parquet: 'predictions.parquet' }

export function tableFilesOf ({ spec }: Pick<JobRecord, 'spec'>): TableFiles {
  return isTabular(spec) ? predictionFiles : forecastFiles
}
