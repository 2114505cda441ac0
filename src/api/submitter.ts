import type { FastifyRequest } from 'fastify'
import { readTraceparent } from '../platform/log/trace-context.ts'
import type { JobSubmission } from '../services/jobs/job-service.ts'
import { identityOf } from './identity-of.ts'
import { defined } from '../platform/defined.ts'

/** The key, request and trace that a job comes from. */
export function submitterOf (request: FastifyRequest): Pick<JobSubmission, 'keyId' | 'requestId' | 'traceparent'> {
  const traceparent = readTraceparent(request.headers['traceparent'])
  return { keyId: identityOf(request).keyId, requestId: request.id, ...defined({ traceparent }) }
}
