import type { FastifyReply, FastifyRequest } from 'fastify'
import { TabcastError } from '../platform/errors.ts'

/**
 * The next turn of a request that goes on, which its tenant pays. Rejects when the client has left, or when others that
 * came with the request have used too much meanwhile.
 */
export async function nextTurn (request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await new Promise<void>((resolve) => request.inTurn(resolve))
  if (reply.raw.closed) throw new TabcastError('validation_error', 'The client has left.', { status: 400 })
  request.takeTurn()
}
