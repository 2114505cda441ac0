import type { FastifyRequest } from 'fastify'
import type { Actor } from '../services/audit/audit-log.ts'
import { identityOf } from './identity-of.ts'

/** The author of a request, for the audit log. */
export function actorOf (request: FastifyRequest): Actor {
  return { keyId: identityOf(request).keyId, requestId: request.id }
}
