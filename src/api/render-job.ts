import { isTabular } from '../domain/job.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import type { JobProgress } from '../services/jobs/job-service.ts'
import { renderForecastJob } from './render-forecast-job.ts'
import { renderTabularJob } from './render-tabular-job.ts'
import type { JobResponse } from './schemas/job.ts'
import type { TabularJobResponse } from './schemas/tabular-job.ts'

/** The job as clients see it, in the shape of its type. */
export function renderJob (record: JobRecord, progress: JobProgress | null): JobResponse | TabularJobResponse {
  const { spec } = record
  return isTabular(spec) ? renderTabularJob(record, spec, progress) : renderForecastJob(record, spec, progress)
}

const endedJobs = new WeakMap<JobRecord, string>()

/** The job as JSON text. An ended job does not change, so its text is made once while its record is in memory. */
export function renderJobText (record: JobRecord, progress: JobProgress | null): string {
  if (progress !== null || record.completedAtMs === null) return JSON.stringify(renderJob(record, progress))
  let text = endedJobs.get(record)
  if (text === undefined) {
    text = JSON.stringify(renderJob(record, null))
    endedJobs.set(record, text)
  }
  return text
}
