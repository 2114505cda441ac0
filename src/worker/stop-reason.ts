/**
 * `cancelled`: the job is over, or has been taken from this run. `abandoned`: this worker stops, another one shall run
 * the job.
 */
export type StopReason = 'cancelled' | 'abandoned'
