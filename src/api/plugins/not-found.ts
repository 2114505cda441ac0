import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { sendError } from './error-handling.ts'

interface KnownAddress {
  pattern: RegExp
  methods: Set<string>
  isFixed: boolean
}

/**
 * Only the server of the pages knows which files exist below these addresses, and it only looks for GET. At / there is
 * something for browsers only.
 */
const filesOfThePages = ['/', '/docs/*']

/** 404, or 405 with `Allow` where the address exists under another method. Call it before the routes are added. */
export function answerUnknownAddresses (app: FastifyInstance): void {
  const known = new Map<string, KnownAddress>()
  app.addHook('onRoute', ({ url, method }) => {
    if (filesOfThePages.includes(url)) return
    const address = known.get(url) ??
      { pattern: addressPattern(url), methods: new Set<string>(), isFixed: !/[:*]/.test(url) }
    known.set(url, address)
    for (const name of [method].flat()) address.methods.add(name)
  })
  const refusal = (request: FastifyRequest): TabcastError => {
    const methods = methodsAt(known, pathOf(request))
    // The address takes the method, so only a file is missing.
    if (methods.length === 0 || methods.includes(request.method)) return new TabcastError('not_found')
    return new TabcastError('method_not_allowed', undefined, { headers: { allow: methods.join(', ') } })
  }
  const shadowed = new Map<string, RegExp[]>()
  app.addHook('onReady', (done) => {
    for (const [url, address] of known) if (!address.isFixed) shadowed.set(url, fixedWithin(known, address))
    done()
  })
  /**
   * DELETE /data-connections/audit would reach the route of a connection, but no connection can have the id `audit`.
   */
  const isAnothers = (request: FastifyRequest): boolean => {
    const patterns = shadowed.get(request.routeOptions.url ?? '') ?? []
    return patterns.length > 0 && patterns.some((pattern) => pattern.test(pathOf(request)))
  }
  // Before the body: there is nothing to read it for, and parsing it would be work that anyone can ask for.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || isAnothers(request)) request.inTurn(() => done(refusal(request)))
    else done()
  })
  app.setNotFoundHandler((request, reply) => sendError(refusal(request), request, reply))
}

/** The methods of the address itself, or else of the patterns that it matches. */
function methodsAt (known: ReadonlyMap<string, KnownAddress>, path: string): string[] {
  const matching = [...known.values()].filter(({ pattern }) => pattern.test(path))
  const fixed = matching.filter(({ isFixed }) => isFixed)
  const methods = (fixed.length > 0 ? fixed : matching).flatMap((address) => [...address.methods])
  return [...new Set(methods)].sort()
}

/** Fixed addresses that also match this pattern. */
function fixedWithin (known: ReadonlyMap<string, KnownAddress>, { pattern }: KnownAddress): RegExp[] {
  return [...known].filter(([url, { isFixed }]) => isFixed && pattern.test(url)).map(([, address]) => address.pattern)
}

function pathOf ({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/** `/jobs/:id` and `/objects/*`, as the router matches them. */
function addressPattern (url: string): RegExp {
  const source = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[a-z_]+/gi, '[^/]+').replaceAll('*', '.+')
  return new RegExp(`^${source}/?$`)
}
