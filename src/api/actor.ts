import type { FastifyRequest } from 'fastify'
import type { Actor } from '../services/audit/audit-log.ts'
import { identityOf } from './identity-of.ts'

/** Who asks, for the audit log. */
export function actorOf (request: FastifyRequest): Actor {
  return { keyId: identityOf(request).keyId, requestId: request.id }
}
