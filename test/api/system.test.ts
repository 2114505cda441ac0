import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import { handleErrors } from '../../src/api/plugins/error-handling.ts'
import { shedLoad } from '../../src/api/plugins/pressure.ts'
import { RateLimiter } from '../../src/api/rate-limiter.ts'
import { dataPaths } from '../../src/platform/config.ts'
import { openApi } from '../support/api.ts'
import { expectError } from '../support/expect-error.ts'
import { until } from '../support/until.ts'

type Given = { statusCode: number, headers: Record<string, unknown>, payload: string }
const answerOf = ({ statusCode, headers, payload }: Given) => ({
  status: statusCode,
  headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  text: payload
})

t.test('health, liveness, models and limits', async (t) => {
  const stage = await openApi(t, { TABCAST_HEARTBEAT_MS: '500' })
  const { app, key, config } = stage
  const health = (await app.inject('/health')).json()
  t.match(health, {
    version: /^\d+\.\d+\.\d+$/,
    timestamp: /Z$/,
    status: 'ok',
    commit: String,
    checks: {
      upload_dir: 'ok',
      output_dir: 'ok',
      metadata_store: 'ok',
      disk: 'ok',
      queue: 'ok',
      object_store: 'ok',
      workers: 'ok'
    }
  })
  t.strictSame(Object.keys(health), ['version', 'timestamp', 'status', 'commit', 'checks'])
  t.strictSame((await app.inject('/livez')).json(), { status: 'alive' })
  for (const url of ['/models', '/limits']) await expectError(t, answerOf(await app.inject(url)), 401, 'auth_failed')
  const headers = { authorization: `Bearer ${key}` }
  t.match((await app.inject({ url: '/models', headers })).json(), {
    available_presets: ['fast', 'balanced', 'best'],
    note: /balanced/
  })
  t.match((await app.inject({ url: '/limits', headers })).json(), {
    max_upload_bytes: config.MAX_UPLOAD_BYTES,
    max_prediction_length: 1000,
    rate_limits: { creates_per_minute: 6000 }
  })
  t.equal((await app.inject({ method: 'HEAD', url: '/livez' })).statusCode, 200)
  t.equal((await app.inject('/livez/')).statusCode, 200)

  await stage.silenceWorker()
  const without = stage.buildAnother({})
  const degraded = await without.inject('/health')
  t.equal(degraded.statusCode, 200, 'no worker is not critical')
  t.match(degraded.json(), { status: 'degraded', checks: { workers: /^error/, upload_dir: 'ok' } })

  const spool = dataPaths(config).spool
  await rm(spool, { recursive: true })
  await writeFile(spool, 'in the way')
  const failing = await stage.buildAnother({}).inject('/health')
  t.equal(failing.statusCode, 503)
  t.match(failing.json(), { status: 'degraded', checks: { upload_dir: /^error: [A-Z]+$/ } })
})

t.test('a store elsewhere that answered is not written to for each look at the health', async (t) => {
  const stage = await openApi(t)
  const { probe } = stage.store
  let probes = 0
  let isAway = false
  stage.store.probe = async () => {
    probes++
    if (isAway) throw new Error('away')
    await probe.call(stage.store)
  }
  t.teardown(() => {
    stage.store.probe = probe
  })
  const look = async () => {
    const { checks } = (await app.inject('/health')).json() as { checks: Record<string, string> }
    // No look is older than a second.
    await sleep(1_050)
    return checks['object_store']
  }
  const app = stage.buildAnother({
    TABCAST_S3_ENDPOINT: 'http://127.0.0.1:1',
    TABCAST_S3_BUCKET: 'bucket',
    TABCAST_S3_ACCESS_KEY_ID: 'id',
    TABCAST_S3_SECRET_ACCESS_KEY: 'secret'
  })
  isAway = true
  t.match([await look(), await look()], [/^error/, /^error/])
  t.equal(probes, 2, 'one that is away is asked again')
  isAway = false
  t.strictSame([await look(), await look(), await look()], ['ok', 'ok', 'ok'])
  t.equal(probes, 3)
})

t.test('requests are limited by key, and the headers say so', async (t) => {
  const stage = await openApi(t)
  const app = stage.buildAnother({ TABCAST_RATE_READS_PER_MINUTE: '3', TABCAST_RATE_AUTH_FAILURES_PER_MINUTE: '2' })
  const get = async (key: string) =>
    answerOf(await app.inject({ url: '/jobs', headers: { authorization: `Bearer ${key}` } }))
  const first = await get(stage.key)
  t.equal(first.headers.get('ratelimit-policy'), '"read";q=3;w=60')
  t.match(first.headers.get('ratelimit'), /^"read";r=2;t=\d+$/)
  await get(stage.key)
  await get(stage.key)
  const refused = await get(stage.key)
  const envelope = await expectError(t, refused, 429, 'rate_limited')
  t.equal(envelope.retryable, true)
  t.match(refused.headers.get('ratelimit'), /^"read";r=0;t=\d+$/)
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds >= 1 && seconds <= 20, 'a third of a minute brings the next')
  t.equal((await get((await stage.keys.create({ tenant: 'acme' })).key)).status, 200, 'another key has its own')
  t.equal((await app.inject('/livez')).statusCode, 200)

  for (let i = 0; i < 2; i++) await expectError(t, await get('wrong'), 401, 'auth_failed')
  await expectError(t, await get('wrong'), 429, 'rate_limited')
  t.equal((await get((await stage.keys.create({ tenant: 'acme' })).key)).status, 200,
    'a right key from that address still works')

  const unlimited = stage.buildAnother({ TABCAST_RATE_LIMITS: 'false', TABCAST_RATE_READS_PER_MINUTE: '1' })
  for (let i = 0; i < 3; i++) {
    const answer = await unlimited.inject({ url: '/jobs', headers: { authorization: `Bearer ${stage.key}` } })
    t.equal(answer.statusCode, 200)
    t.notOk('ratelimit' in answer.headers)
  }
})

t.test('the keys of a tenant together are limited too, and the headers tell of whichever has less left', async (t) => {
  const stage = await openApi(t)
  const app = stage.buildAnother({ TABCAST_RATE_READS_PER_MINUTE: '4', TABCAST_RATE_TENANT_FACTOR: '2' })
  const get = async (key: string, url = '/jobs') =>
    answerOf(await app.inject({ url, headers: { authorization: `Bearer ${key}` } }))
  const keys = await Promise.all(
    Array.from({ length: 6 }, async () => (await stage.keys.create({ tenant: 'acme' })).key)
  )
  const [first = '', second = '', third = '', fourth = ''] = keys
  for (const key of [first, first, first, second, second]) t.equal((await get(key)).status, 200)
  const one = await get(third)
  t.equal(one.headers.get('ratelimit-policy'), '"read-tenant";q=8;w=60', 'eight for all keys')
  t.match(one.headers.get('ratelimit'), /^"read-tenant";r=2;t=\d+$/)
  const own = await get(first)
  t.equal(own.status, 200, 'the fourth of four')
  t.equal(own.headers.get('ratelimit-policy'), '"read";q=4;w=60')
  t.match(own.headers.get('ratelimit'), /^"read";r=0;t=\d+$/)
  t.equal((await get(fourth)).status, 200)
  const refused = await get(fourth)
  await expectError(t, refused, 429, 'rate_limited')
  t.match(refused.headers.get('ratelimit'), /^"read-tenant";r=0;t=\d+$/)
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds >= 1 && seconds <= 8, `an eighth of a minute brings the next: ${seconds}`)
  await expectError(t, await get(keys[4] ?? ''), 429, 'rate_limited')
  t.equal((await get((await stage.keys.create({ tenant: 'other' })).key)).status, 200, 'another tenant has its own')
  const limits = stage.buildAnother({ TABCAST_RATE_TENANT_FACTOR: '3' })
  t.match((await limits.inject({ url: '/limits', headers: { authorization: `Bearer ${first}` } })).json(), {
    rate_limits: { tenant_factor: 3 }
  })
})

t.test('what the tenant has too little for is not taken from the key, and Retry-After is when both have it', async (t) => {
  let nowMs = 0
  const limiter = new RateLimiter({
    read: { perMinute: 60, burst: 2, tenantFactor: 1 },
    create: { perMinute: 1 },
    upload: { perMinute: 1 },
    agent: { perMinute: 1 },
    'auth-failure': { perMinute: 1 }
  }, () => nowMs)
  const reply = { getHeader: () => undefined, header: () => undefined } as never
  const take = (id: string) => limiter.take('read', { id, tenant: 'acme' }, reply)?.retryAfterSeconds ?? 'taken'
  t.strictSame([take('a'), take('a'), take('b'), take('b'), take('b')], ['taken', 'taken', 1, 1, 1])
  nowMs += 2001
  t.strictSame([take('b'), take('b'), take('b')], ['taken', 'taken', 1], 'none of b was taken before')
})

t.test('of several classes all are counted, or none', async (t) => {
  const limiter = new RateLimiter<'own' | 'all'>({ own: { perHour: 2 }, all: { perMinute: 1 } }, () => 0)
  const reply = { getHeader: () => undefined, header: () => undefined } as never
  const take = (id: string) => limiter.takeAll([['own', { id }], ['all', { id: 'everybody' }]], reply) === undefined
  t.strictSame([take('a'), take('b'), take('b'), take('b')], [true, false, false, false])
  t.strictSame([limiter.take('own', { id: 'b' }, reply), limiter.take('own', { id: 'b' }, reply)], [undefined,
    undefined], 'b has all of its own')
})

t.test('a token bucket fills evenly and holds a burst', async (t) => {
  let nowMs = 0
  const limiter = new RateLimiter({
    read: { perMinute: 60 },
    create: { perMinute: 60, burst: 2 },
    upload: { perMinute: 1 },
    agent: { perMinute: 1 },
    'auth-failure': { perMinute: 1 }
  }, () => nowMs)
  const headers = new Map<string, string>()
  const reply = {
    getHeader: (name: string) => headers.get(name),
    header: (name: string, value: string) => headers.set(name, value)
  } as never
  const take = () => limiter.take('create', { id: 'a' }, reply)?.retryAfterSeconds ?? 'taken'
  t.strictSame([take(), take(), take()], ['taken', 'taken', 1])
  nowMs += 999
  t.equal(take(), 1)
  nowMs += 2
  t.strictSame([take(), take()], ['taken', 1])
  nowMs += 600_000
  t.strictSame([take(), take(), take()], ['taken', 'taken', 1], 'no more than the burst is saved up')
  headers.clear()
  limiter.take('read', { id: 'a' }, reply)
  limiter.take('create', { id: 'b' }, reply)
  t.equal(headers.get('ratelimit-policy'), '"read";q=60;w=60, "create";q=60;w=60')
  t.equal(headers.get('ratelimit'), '"read";r=59;t=1, "create";r=1;t=1')
})

t.test('a loop that keeps lagging is relieved, one long pause is not', async (t) => {
  const app = Fastify()
  handleErrors(app)
  shedLoad(app, { sampleMs: 50, maxMeanDelayMs: 20 })
  app.get('/jobs', () => 'ok')
  app.get('/livez', () => 'ok')
  t.teardown(() => app.close())
  const status = async (url: string) => (await app.inject(url)).statusCode
  const block = (ms: number) => {
    const endMs = performance.now() + ms
    while (performance.now() < endMs);
  }
  await app.ready()
  await sleep(100)
  block(60)
  t.equal(await status('/jobs'), 200)
  await until('a refusal', async () => {
    block(60)
    return await status('/jobs') === 503
  })
  t.equal(await status('/livez'), 200, 'the probe is answered all the same')
  await until('relief', async () => await status('/jobs') === 200)
})

t.test('the description is the same from the command and from a running service that has everything', async (t) => {
  const { app } = await openApi(t, { TABCAST_SANDBOX_ENABLED: 'true' })
  const { openApiDocument } = await import('../../src/api/openapi-document.ts')
  t.strictSame(JSON.parse(JSON.stringify(await openApiDocument())), (await app.inject('/openapi.json')).json())
})
