import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Where clients reach this service, without a slash at its end. Unless configured, where this request came in. */
export function baseUrlOf (request: FastifyRequest, config: Config): string {
  const base = config.PUBLIC_URL === '' ? `${request.protocol}://${request.host}` : config.PUBLIC_URL
  return base.replace(/\/+$/, '')
}
