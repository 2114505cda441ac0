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

/** Bytes that an answer keeps until its client has read them; larger ones count as text does. */
const smallBytes = 16 * 1024

const endedJobs = new WeakMap<JobRecord, string | Buffer>()

/**
 * The job as JSON. An ended job does not change, so this is made once while its record is in memory: as bytes if they
 * are few, because Node encodes a text again for each answer.
 */
export function renderJobAnswer (record: JobRecord, progress: JobProgress | null): string | Buffer {
  if (progress !== null || record.completedAtMs === null) return JSON.stringify(renderJob(record, progress))
  let answer = endedJobs.get(record)
  if (answer === undefined) {
    const text = JSON.stringify(renderJob(record, null))
    const bytes = Buffer.from(text)
    answer = bytes.length < smallBytes ? bytes : text
    endedJobs.set(record, answer)
  }
  return answer
}

export const renderJobText = (record: JobRecord, progress: JobProgress | null): string =>
  renderJobAnswer(record, progress).toString()
