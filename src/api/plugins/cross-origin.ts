import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { sandboxTenant } from '../../services/keys/scopes.ts'
import { sandboxOrigins } from '../../services/sandbox/sandbox-origins.ts'

/** Other routes that a sandbox key may read. */
const readable = new Set(['/jobs/:job_id', '/jobs/:job_id/download', '/jobs/:job_id/artifacts/:name'])
const exposed = 'Link, Location, Retry-After, X-Request-ID'
/** Seconds for which a browser may reuse the answer of a preflight. */
const maxAge = '600'

/**
 * Pages of the operator's origins may use the sandbox and read its jobs with its key. Pages of other origins can read
 * no answer, and no page can read answers to other keys. Call it before the routes are added.
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
    // The refusal of a key reveals nothing, and a page must be able to show it.
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
