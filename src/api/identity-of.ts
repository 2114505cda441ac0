import type { FastifyRequest } from 'fastify'
import type { Identity } from '../services/keys/identity.ts'

/** For routes that are not public. */
export function identityOf (request: FastifyRequest): Identity {
  if (request.identity === null) throw new Error('the route is public and knows no caller')
  return request.identity
}
