import type { FastifyReply, FastifyRequest } from 'fastify'
import { TabcastError } from '../platform/errors.ts'

/**
 * Waits for the tenant's next turn and meters it. Rejects when the client has left, or when the tenant is too far in
 * debt.
 */
export async function nextTurn (request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await new Promise<void>((resolve) => request.inTurn(resolve))
  if (reply.raw.closed) throw new TabcastError('validation_error', 'The client has left.', { status: 400 })
  request.checkAndMeter()
}
