import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { sandboxTenant } from '../../services/keys/scopes.ts'
import { sandboxOrigins } from '../../services/sandbox/sandbox-origins.ts'

/** Of those who may read with a key of the sandbox. */
const readable = new Set(['/jobs/:job_id', '/jobs/:job_id/download', '/jobs/:job_id/artifacts/:name'])
const exposed = 'Location, Retry-After, X-Request-ID'
/** Seconds for which a browser need not ask again. */
const maxAge = '600'

/**
 * Pages of the operator's origins may use the sandbox, and read with its key what it has made. No page of another
 * origin gets to read an answer, and none an answer to another key. Has to be called before the routes are added.
 */
export function shareSandbox (app: FastifyInstance, config: Config): void {
  const origins = new Set(config.SANDBOX_ENABLED ? sandboxOrigins(config) : [])
  if (origins.size === 0) return
  const allow = ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void => {
    reply.header('vary', 'Origin')
    if (origin !== undefined && origins.has(origin)) reply.header('access-control-allow-origin', origin)
  }

  app.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat().filter((name) => name === 'GET' || name === 'POST')
    if (!isShared(url) || methods.length === 0) return
    const config = { access: 'public', givesFiles: true } as const
    app.options(url, { schema: { hide: true }, config }, async (request, reply) => {
      allow(request, reply)
      return await reply.code(204).headers({
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
        'access-control-max-age': maxAge
      }).send()
    })
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { url = '' } = request.routeOptions
    // A refusal of a key tells nobody anything, and a page has to be able to say what it is.
    if (isShared(url) && (url.startsWith('/sandbox/') || request.identity?.tenant === sandboxTenant)) {
      allow(request, reply)
      reply.header('access-control-expose-headers', exposed)
    }
    done()
  })
}

function isShared (url: string): boolean {
  return url.startsWith('/sandbox/') || readable.has(url)
}
