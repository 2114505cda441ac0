import type { LabelFields } from '../services/forecasts/label-fields.ts'
import type { JobSubmission } from '../services/jobs/job-service.ts'
import type { Services } from './services.ts'

/**
 * What the caller says about a job that is no part of what it does. Throws validation_error for an address that
 * callbacks may not go to.
 */
export function jobLabels ({ callbacks }: Pick<Services, 'callbacks'>,
  { name, metadata, callback_url: callbackUrl }: LabelFields): Pick<JobSubmission,
  'name' | 'metadata' | 'callbackUrl'> {
  return { name: name ?? null, metadata: metadata ?? null, callbackUrl: callbacks.acceptUrl(callbackUrl) }
}
