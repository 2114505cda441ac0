import { traceIdOf } from './trace-context.ts'
import { defined } from '../defined.ts'

/** Fields of every log line about a job, so that it can be found from the request that created the job. */
export function jobFacts (
  { jobId, tenant, requestId, traceparent }: { jobId: string, tenant?: string, requestId?: string,
    traceparent?: string }
) {
  return {
    jobId,
    ...defined({ tenant, requestId }),
    ...(traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) })
  }
}
