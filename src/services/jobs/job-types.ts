import { isTabular, type JobSpec, type JobType } from '../../domain/job.ts'
import type { RecordedJobType } from './job-record.ts'

/** The type of work for a worker. */
export function workOf (spec: JobSpec): JobType {
  if (isTabular(spec)) return spec.task
  return spec.training === undefined ? 'forecast' : 'fine_tune'
}

/** The type that the record and the API show. */
export function recordedType (spec: JobSpec, isOfSandbox: boolean): RecordedJobType {
  if (!isOfSandbox) return workOf(spec)
  return isTabular(spec) ? `sandbox_${spec.task}` : 'sandbox_forecast'
}
