import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../errors.ts'
import { sendError } from './error-handling.ts'

interface KnownAddress { pattern: RegExp, methods: Set<string> }

/** 404, or 405 with `Allow` where the address exists under another method. Has to be called before the routes are added. */
export function answerUnknownAddresses (app: FastifyInstance): void {
  const known = new Map<string, KnownAddress>()
  app.addHook('onRoute', ({ url, method }) => {
    const address = known.get(url) ?? { pattern: addressPattern(url), methods: new Set<string>() }
    known.set(url, address)
    for (const name of [method].flat()) address.methods.add(name)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap((address) => [...address.methods])
    const error = methods.length === 0
      ? new TabcastError('not_found')
      : new TabcastError('method_not_allowed', undefined, { headers: { allow: [...new Set(methods)].sort().join(', ') } })
    return sendError(error, request, reply)
  })
}

/** `/jobs/:id` and `/objects/*`, as the router matches them. */
function addressPattern (url: string): RegExp {
  const source = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[a-z_]+/gi, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${source}/?$`)
}
