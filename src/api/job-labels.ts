import type { LabelFields } from '../services/forecasts/label-fields.ts'
import type { JobSubmission } from '../services/jobs/job-service.ts'
import type { Services } from './services.ts'

/**
 * Fields that label a job and do not change what it computes. Throws validation_error for an address that callbacks may
 * not use.
 */
export function jobLabels ({ callbacks }: Pick<Services, 'callbacks'>,
  { name, metadata, callback_url: callbackUrl }: LabelFields): Pick<JobSubmission,
  'name' | 'metadata' | 'callbackUrl'> {
  return { name: name ?? null, metadata: metadata ?? null, callbackUrl: callbacks.acceptUrl(callbackUrl) }
}
