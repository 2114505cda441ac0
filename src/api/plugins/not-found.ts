import type { FastifyInstance, FastifyRequest } from 'fastify'
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
  const refusal = ({ url, method }: FastifyRequest): TabcastError => {
    const path = url.split('?', 1)[0] ?? ''
    const methods = [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap((address) => [...address.methods])
    // An address that takes the method and still has nothing to give is that of a file that is not there.
    if (methods.length === 0 || methods.includes(method)) return new TabcastError('not_found')
    return new TabcastError('method_not_allowed', undefined, { headers: { allow: [...new Set(methods)].sort().join(', ') } })
  }
  // Before the body: there is nothing to read it for, and parsing it would be work that anyone can ask for.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusal(request) : undefined))
  app.setNotFoundHandler((request, reply) => sendError(refusal(request), request, reply))
}

/** `/jobs/:id` and `/objects/*`, as the router matches them. */
function addressPattern (url: string): RegExp {
  const source = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[a-z_]+/gi, '[^/]+').replaceAll('*', '.+')
  return new RegExp(`^${source}/?$`)
}
