import type { JobMessage } from '../platform/queue/job-messages.ts'

/** The job types that this release has a pipeline for. The worker announces them as its `capabilities`. */
export const jobTypes: ReadonlyArray<JobMessage['jobType']> = ['forecast', 'fine_tune', 'classification', 'regression']
