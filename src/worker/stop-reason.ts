/** `cancelled`: the job is over. `abandoned`: this worker stops, another one shall run the job. */
export type StopReason = 'cancelled' | 'abandoned'
