/**
 * `cancelled`: the job was deleted or has ended, or was taken from this run. `abandoned`: this worker is stopping, and
 * another one has to run the job.
 */
export type StopReason = 'cancelled' | 'abandoned'
