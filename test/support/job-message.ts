import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { isTabular, type JobSpec } from '../../src/domain/job.ts'
import type { OutputLimits, TableLimits } from '../../src/domain/limits.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import type { JobMessage } from '../../src/platform/queue/job-messages.ts'

export const testSpec: ForecastSpec = {
  predictionLength: 3,
  preset: 'fast',
  columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
  freq: null,
  quantileLevels: [0.1, 0.5, 0.9],
  timestampFormat: 'pandas',
  quantileColumnStyle: 'raw'
}

/** Of a job that is known to forecast or to train. */
export function forecastSpec (spec: JobSpec): ForecastSpec {
  if (isTabular(spec)) throw new Error(`the job is a ${spec.task}`)
  return spec
}

export const testLimits: TableLimits & OutputLimits & { maxCsvBytes: number } = {
  maxRows: 1_000_000,
  maxColumns: 100,
  maxSeries: 10_000,
  maxCellChars: 1000,
  maxForecastPoints: 1_000_000,
  maxOutputBytes: 1e9,
  maxCsvBytes: 1_000_000
}

export function testJob (jobId: string, changes: Partial<JobMessage> = {}): JobMessage {
  const tenant = 'acme'
  return {
    v: messageVersion,
    jobId,
    tenant,
    dispatch: 1,
    jobType: 'forecast',
    input: { key: `${tenant}/${jobId}/input`, format: 'csv', bytes: 0 },
    outputPrefix: `${tenant}/${jobId}/`,
    spec: testSpec,
    limits: testLimits,
    budgetMs: 60_000,
    ...changes
  }
}
