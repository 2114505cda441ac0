import type { FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.ts'
import { TabcastError } from '../platform/errors.ts'
import { withoutTrailingSlash } from '../platform/without-trailing-slash.ts'
import { isHost } from './request-host.ts'

/**
 * Where clients reach this service, without a trailing slash: the configured URL, or the address of this request. Empty
 * for an HTTP/1.0 request without a host, which makes addresses relative.
 */
export function baseUrlOf (request: FastifyRequest, config: Config): string {
  if (config.PUBLIC_URL !== '') return withoutTrailingSlash(config.PUBLIC_URL)
  const { protocol, host } = request
  if (host === undefined || host === '') return ''
  // Behind a proxy these two come from headers that nothing has checked yet.
  if (!isHost(host) || !['http', 'https'].includes(protocol)) {
    throw new TabcastError('validation_error', 'The forwarded host or protocol is not valid.', { status: 400 })
  }
  return `${protocol}://${host}`
}
