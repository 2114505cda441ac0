import type { Config } from '../config.ts'
import { messageVersion, type JobMessage } from '../queue/messages.ts'
import { jobPrefix } from '../store/keys.ts'
import type { JobRecord } from './job-record.ts'

/** What a worker needs to run the job, and nothing else. */
export function jobMessage (record: JobRecord, config: Config): JobMessage {
  return {
    v: messageVersion,
    jobId: record.jobId,
    tenant: record.tenant,
    dispatch: record.dispatch,
    jobType: record.jobType,
    input: { key: record.input.key, format: record.input.format, bytes: record.input.bytes },
    outputPrefix: jobPrefix(record.tenant, record.jobId),
    spec: record.spec,
    limits: { ...tableLimits(config), maxForecastPoints: config.MAX_FORECAST_POINTS, maxOutputBytes: config.MAX_OUTPUT_BYTES, maxCsvBytes: config.MAX_CSV_BYTES },
    budgetMs: config.JOB_BUDGET_SECONDS * 1000
  }
}

export function tableLimits (config: Config) {
  return {
    maxRows: config.MAX_ROWS,
    maxColumns: config.MAX_COLUMNS,
    maxSeries: config.MAX_SERIES,
    maxCellChars: config.MAX_CELL_CHARS
  }
}
