import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler,
  preHandlerHookHandler } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { LoopSlices } from '../../platform/turns/loop-slices.ts'
import type { Identity } from '../../services/keys/identity.ts'
import type { KeyService } from '../../services/keys/key-service.ts'
import { sandboxTenant, type Scope } from '../../services/keys/scopes.ts'
import { acceptsJson } from '../accepts-json.ts'
import { addressGroup } from '../address-group.ts'
import { FailedKeys } from '../failed-keys.ts'
import { identityOf } from '../identity-of.ts'
import { RateLimiter, type LimitClass, type SandboxClass } from '../rate-limiter.ts'
import type { Services } from '../services.ts'
import { meterRoutes } from './meter-route.ts'

/** Who may call a route, and the limits for calls. Every route declares it; start-up stops at a route that does not. */
export type Access =
  | 'public'
  /**
   * `scope` null: any valid key; of several scopes the key needs all. `tenant`: only keys of a tenant, not those of the
   * sandbox. `scope` sandbox: only sandbox keys, which have no other routes but those with `sandboxToo`, for jobs that
   * they created. `adminToo`: the scope `admin` also works, for the tenant of its key. `computes`: workers compute
   * while the caller waits, or list a customer's store for its job, within the tenant's budget for them. `constant`:
   * the api's work is the same for every caller, so the rate limits are enough; such a route is not metered and answers
   * even while the tenant is in debt. All other routes are metered.
   */
  | {
    scope: Scope | readonly Scope[] | null
    limits: ReadonlyArray<LimitClass | SandboxClass>
    tenant?: true
    adminToo?: true
    sandboxToo?: true
    computes?: true
    constant?: true
  }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The answer is a file or empty, so `Accept` is not compared with JSON. */
    givesFiles?: boolean
    /** The body is a file, which may take as long as it keeps coming. */
    takesFile?: boolean
    /** The answer contains an API key, so an Idempotency-Key repeats it only to the key that asked. */
    answersKey?: boolean
    /** The tenant who signed the address of the request, whose turns it has: no key comes with it. */
    signerOf?: (request: FastifyRequest) => string | undefined
  }
  interface FastifyRequest {
    identity: Identity | null
    /**
     * Does this now, or when its tenant has its turn of the thread; without a key that is the `signer`, and without
     * either all share one. Within it addresses take turns, and in the sandbox's.
     */
    inTurn(work: () => void, signer?: string): void
  }
}

/** Says at once whether it refuses. */
type RefusingHook = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void

/** Adds to each route the hooks that its access needs. Has to be called before the routes are added. */
export function guardAccess (app: FastifyInstance, config: Config, services: Services): void {
  const tenantFactor = config.RATE_TENANT_FACTOR
  const limiter = new RateLimiter({
    read: { perMinute: config.RATE_READS_PER_MINUTE, tenantFactor },
    create: { perMinute: config.RATE_CREATES_PER_MINUTE, burst: 1000, tenantFactor },
    upload: { perMinute: config.RATE_UPLOADS_PER_MINUTE, tenantFactor },
    agent: { perMinute: config.RATE_AGENT_PER_MINUTE, tenantFactor },
    'auth-failure': { perMinute: config.RATE_AUTH_FAILURES_PER_MINUTE }
  })
  // These limits are always on, because everybody has the sandbox's key, and a gateway cannot tell callers apart.
  const sandbox = new RateLimiter<SandboxClass>({
    'sandbox-read': { perMinute: config.SANDBOX_READS_PER_MINUTE },
    'sandbox-post': { perHour: config.SANDBOX_POSTS_PER_HOUR },
    // Each takes about 10 ms of the main thread, so bursts are limited too.
    'sandbox-posts': {
      perMinute: config.SANDBOX_POSTS_PER_MINUTE,
      burst: Math.max(10, config.SANDBOX_POSTS_PER_MINUTE / 6)
    }
  })
  const turns = new LoopSlices()
  app.decorateRequest('identity', null)
  app.decorateRequest('inTurn', function (this: FastifyRequest, work: () => void, signer?: string) {
    const { identity } = this
    const tenant = identity?.tenant ?? signer
    // Requests from many addresses do not get more turns of the tenants'.
    const isShared = tenant === undefined || tenant === sandboxTenant
    // Anybody with a signed address may use it, so requests to signed addresses get only every second turn of their
    // tenant.
    const ofTenant = identity === null ? 'signed' : ''
    turns.take(tenant === undefined ? 'nobody' : `tenant ${tenant}`, work, isShared ? addressGroup(this.ip) : ofTenant)
  })
  const probes = new LoopSlices()
  const probeTurns: Partial<Record<string, onRequestHookHandler>> = {
    // A supervisor ends a process that does not answer /livez, so this waits only for other such requests from the same
    // address.
    '/livez': turnOf((address, work) => probes.take(address, work)),
    // A load balancer sends requests elsewhere if /health does not answer, so this waits only for other such requests.
    '/health': turnOf((address, work) => turns.take('health', work, address))
  }
  const failedKeys = new FailedKeys(services.log)
  const meterRoute = meterRoutes(app, services)
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (access === undefined) throw new Error(`${String(route.method)} ${route.url}: config.access is missing`)
    const hooks: onRequestHookHandler[] = []
    if (access !== 'public') {
      hooks.push(
        refusingInTurn(authentication({ services, limiter: config.RATE_LIMITS ? limiter : null, failedKeys }, access))
      )
      if (access.limits.length > 0) {
        hooks.push(
          refusingInTurn(rateLimit({ limiter: config.RATE_LIMITS ? limiter : null, sandbox }, access.limits))
        )
      }
    }
    if (route.config?.givesFiles !== true) hooks.push(refusingInTurn(acceptance))
    hooks.push(probeTurns[route.url] ?? turn)
    route.onRequest = [...hooks, ...[route.onRequest ?? []].flat()] as onRequestHookHandler[]
    const hasBody = [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD')
    if (access !== 'public' && hasBody) {
      route.preHandler = [stillAuthenticated(services), ...[route.preHandler ?? []].flat()]
    }
    if (access !== 'public' && access.constant !== true) meterRoute(route, access.computes === true)
  })
}

/** A body may take days to arrive, and its key may have been revoked or changed meanwhile. */
function stillAuthenticated (services: Services): preHandlerHookHandler {
  return (request, _reply, done) => {
    const key = bearerKey(request.headers.authorization)
    const now = key === undefined ? undefined : services.keys.verify(key)
    const { tenant, scopes } = identityOf(request)
    done(
      now?.tenant === tenant && [...scopes].every((scope) => now.scopes.has(scope)) ? undefined : unauthenticated(key)
    )
  }
}

interface AuthenticationParts {
  services: Services
  limiter: RateLimiter | null
  failedKeys: FailedKeys
}

function authentication ({ services, limiter, failedKeys }: AuthenticationParts,
  { scope, tenant, adminToo, sandboxToo }: Exclude<Access, 'public'>): RefusingHook {
  const scopes = scope === null ? [] : [scope].flat()
  const isOfSandbox = scopes.includes('sandbox')
  return (request, reply, done) => {
    const key = bearerKey(request.headers.authorization)
    const identity = key === undefined ? undefined : services.keys.verify(key)
    const isAdmin = adminToo === true && identity?.scopes.has('admin') === true
    const isSandboxKey = identity?.tenant === sandboxTenant
    const missing = isAdmin || (isSandboxKey && sandboxToo === true)
      ? undefined
      : scopes.find((needed) => identity?.scopes.has(needed) !== true)
    if (identity === undefined) {
      if (key !== undefined) failedKeys.note(key)
      done(
        limiter === null
          ? unauthenticated(key)
          : limiter.take('auth-failure', { id: addressGroup(request.ip) }, reply) ?? unauthenticated(key)
      )
    } else if (isSandboxKey ? !(isOfSandbox || sandboxToo === true) : isOfSandbox) {
      done(isSandboxKey ? notForSandbox() : onlyForSandbox())
    } else if (missing !== undefined) {
      done(
        new TabcastError('auth_failed', `This key lacks the scope ${missing}.`, {
          status: 403,
          suggestion: `Use a key with the scope ${missing}.`
        })
      )
    } else if (tenant === true && (!identity.hasTenant || identity.scopes.has('sandbox'))) {
      done(
        new TabcastError('auth_failed', 'This needs a key that belongs to a tenant.', {
          status: 403,
          suggestion: 'Use a key of a tenant.'
        })
      )
    } else {
      request.identity = identity
      done()
    }
  }
}

function notForSandbox (): TabcastError {
  return new TabcastError('auth_failed',
    'A key of the sandbox reads the jobs that it made, by their ids, and does nothing else here.', {
    status: 403,
    suggestion: 'Use a key of a tenant.'
  })
}

function onlyForSandbox (): TabcastError {
  return new TabcastError('auth_failed', 'The sandbox takes keys of the sandbox only.', {
    status: 403,
    suggestion: 'Use a key whose one scope is sandbox, or the routes without /sandbox.'
  })
}

function bearerKey (header: string | undefined): string | undefined {
  return header !== undefined && /^bearer /i.test(header) ? header.slice('bearer '.length).trim() : undefined
}

function unauthenticated (key: string | undefined): TabcastError {
  const challenge = key === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
  return new TabcastError('auth_failed',
    key === undefined ? 'An API key is needed: Authorization: Bearer <API_KEY>.' : 'The API key is not valid.', {
    headers: { 'www-authenticate': challenge }
  })
}

interface Limiters {
  limiter: RateLimiter | null
  sandbox: RateLimiter<SandboxClass>
}

function rateLimit ({ limiter, sandbox }: Limiters, classes: ReadonlyArray<LimitClass | SandboxClass>): RefusingHook {
  return (request, reply, done) => {
    const { keyId, tenant } = identityOf(request)
    if (tenant === sandboxTenant) {
      const address = addressGroup(request.ip)
      const own = new Set(classes.map((limitClass) => isSandboxClass(limitClass) ? limitClass : 'sandbox-read'))
      done(
        sandbox.takeAll(
          [...own].map((limitClass) => [limitClass, { id: limitClass === 'sandbox-posts' ? 'all' : address }]),
          reply
        )
      )
      return
    }
    for (const limitClass of classes) {
      const refusal = isSandboxClass(limitClass) ? undefined : limiter?.take(limitClass, { id: keyId, tenant }, reply)
      if (refusal !== undefined) {
        done(refusal)
        return
      }
    }
    done()
  }
}

function isSandboxClass (limitClass: LimitClass | SandboxClass): limitClass is SandboxClass {
  return limitClass.startsWith('sandbox-')
}

function turn (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.inTurn(whileOpen(reply, done), request.routeOptions.config.signerOf?.(request))
}

/** A refusal costs almost as much as an answer, so it takes a turn too. */
function refusingInTurn (hook: RefusingHook): onRequestHookHandler {
  return (request, reply, done) =>
    hook(request, reply, (refusal) => {
      if (refusal === undefined) done()
      else request.inTurn(whileOpen(reply, () => done(refusal)))
    })
}

/** Takes turns apart from others, by address. */
function turnOf (take: (address: string, work: () => void) => void): onRequestHookHandler {
  return (request, reply, done) => take(addressGroup(request.ip), whileOpen(reply, done))
}

/** Skips the work if the client has left in the meantime, because the event that the answer has closed is over. */
function whileOpen ({ raw }: FastifyReply, done: () => void): () => void {
  return () => {
    if (!raw.closed) done()
  }
}

function acceptance (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(
    acceptsJson(request.headers.accept)
      ? undefined
      : new TabcastError('not_acceptable', undefined, { suggestion: 'This address answers application/json.' })
  )
}

/** For long answers: whether the key of the request still has the scope, for the same tenant. */
export function stillMay (request: FastifyRequest, keys: KeyService, scope: Scope): boolean {
  const key = bearerKey(request.headers.authorization)
  const identity = key === undefined ? undefined : keys.verify(key)
  return identity?.tenant === identityOf(request).tenant && identity.scopes.has(scope)
}
