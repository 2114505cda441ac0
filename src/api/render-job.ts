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

/** Answers of fewer bytes are not counted while their clients read them. */
const smallBytes = 16 * 1024

const endedJobs = new WeakMap<JobRecord, { text: string, bytes?: Buffer }>()

/** The job as JSON text. An ended job does not change, so its text is made once while its record is in memory. */
export function renderJobText (record: JobRecord, progress: JobProgress | null): string {
  return isEnded(record, progress) ? ended(record).text : JSON.stringify(renderJob(record, progress))
}

/** The same, but as bytes if an ended job has few, because Node encodes a text again for each answer. */
export function renderJobAnswer (record: JobRecord, progress: JobProgress | null): string | Buffer {
  if (!isEnded(record, progress)) return renderJobText(record, progress)
  const known = ended(record)
  // A UTF-16 unit has three bytes at most.
  if (known.text.length >= smallBytes / 3) return known.text
  known.bytes ??= Buffer.from(known.text)
  return known.bytes
}

function isEnded (record: JobRecord, progress: JobProgress | null): boolean {
  return progress === null && record.completedAtMs !== null
}

function ended (record: JobRecord): { text: string, bytes?: Buffer } {
  const known = endedJobs.get(record) ?? { text: JSON.stringify(renderJob(record, null)) }
  endedJobs.set(record, known)
  return known
}
