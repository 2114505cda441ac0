import t from 'tap'
import { LineBound } from '../../src/platform/log/line-bound.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { readTraceparent, traceIdOf } from '../../src/platform/log/trace-context.ts'
import { QueueError } from '../../src/platform/queue/index.ts'
import { StoreError } from '../../src/platform/store/store-error.ts'
import { openApi } from '../support/api.ts'
import { form } from '../support/form.ts'
import { openReceiver, status } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const canary = 'canary-5d41402abc4b2a76'
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('nothing that a caller sends is in the log, and lines lead back to the request and its trace', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = status(500)
  const stage = await openApi(t, { TABCAST_CALLBACK_ALLOW_HOSTS: receiver.host, TABCAST_CALLBACK_RETRY_SECONDS: '0' },
    (app) => {
      app.get('/test-failure', { config: { access: 'public' } }, () => {
        throw Object.assign(new Error(`cannot read ${canary}`, { cause: new SyntaxError(`Unexpected ${canary}`) }), {
          path: `/${canary}`,
          body: canary
        })
      })
    })
  const headers = {
    authorization: `Bearer ${stage.key}`,
    'x-secret': canary,
    cookie: canary,
    'user-agent': canary,
    referer: `https://x/?${canary}`,
    'x-request-id': 'log-1',
    traceparent
  }
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: string, type = 'application/json') =>
    await stage.app.inject({
      method,
      url,
      headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload })
    })
  const upload = async (url: string, fields: Array<[string, string]>) => {
    const { headers: own, payload } = form([...fields, ['file', csv, `${canary}.csv`]])
    return await stage.app.inject({
      method: 'POST',
      url: `${url}?${canary}=${canary}`,
      headers: { ...headers, ...own },
      payload
    })
  }

  t.equal((await ask('GET', `/test-failure?key=${canary}`)).statusCode, 500)
  await ask('GET', `/${canary}`)
  await ask('GET', `/jobs/${canary}`)
  await ask('POST', '/storage/presign', `{"${canary}`)
  await ask('POST', '/forecast/storage-object', JSON.stringify({ object_id: canary, name: canary }))
  await ask('POST', '/data-connections', JSON.stringify({
    connector_type: 's3_compatible',
    name: canary,
    object_storage: {
      bucket: canary,
      endpoint_url: `http://${canary}:${canary}@127.0.0.1`,
      credentials: { access_key_id: canary, secret_access_key: canary }
    }
  }))
  await stage.app.inject({ method: 'GET', url: '/jobs', headers: { authorization: `Bearer tbc_test_${canary}` } })
  await upload('/agent/forecast', [['prompt', `forecast ${canary} for three months`]])
  await upload('/forecast', [['callback_url', `https://user:${canary}@example.com/`]])
  const created = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    ...(({ headers: own, payload }) => ({ headers: { ...headers, ...own }, payload }))(
      form([['name', canary], ['metadata', JSON.stringify({ canary })], ['callback_url',
        `${receiver.url}/${canary}?token=${canary}`], ['file', csv, `${canary}.csv`]])
    )
  })
  t.equal(created.statusCode, 202, created.payload)
  const { job_id: jobId } = JSON.parse(created.payload) as { job_id: string }
  const { message, ack } = await until('the message of the job', async () => {
    const handle = await stage.takeNext()
    if (handle.message.jobId === jobId) return { message: handle.message, ack: () => handle.ack() }
    handle.ack()
    return undefined
  })
  t.match(message, { requestId: 'log-1', traceparent })
  await stage.worker.publishEvent({
    v: 1,
    jobId,
    tenant: 'acme',
    run: '01J00000000000000000000000',
    code: 'validation_error',
    resultSha256: null,
    error: `Row ${canary}`
  })
  ack()
  const [delivery] = await receiver.received(1)
  t.equal(delivery?.headers['traceparent'], traceparent, 'the callback is part of the trace')
  await until('the end of the callback', () => stage.log().some(({ msg }) => msg === 'callback attempt failed'))

  const lines = stage.log()
  t.notMatch(JSON.stringify(lines), canary)
  t.notMatch(JSON.stringify(lines), stage.key)
  const failure = lines.find(({ msg }) => msg === 'request failed')
  t.match(failure, {
    requestId: 'log-1',
    traceId: traceIdOf(traceparent),
    method: 'GET',
    route: '/test-failure',
    err: { type: 'Error', stack: /^ {4}at /, cause: { type: 'SyntaxError' } }
  })
  for (const msg of ['job ended', 'callback attempt failed']) {
    t.match(lines.find((line) => line['msg'] === msg && line['jobId'] === jobId), {
      requestId: 'log-1',
      traceId: traceIdOf(traceparent)
    }, msg)
  }
  for (const line of lines.filter((one) => 'jobId' in one)) t.type(line['requestId'], 'string', String(line['msg']))
})

t.test('a line has the allowed fields, and of an error what it is', async (t) => {
  const lines: string[] = []
  const log = createLog('info', { role: 'test' }, {
    write: (line) => {
      lines.push(line)
    }
  })
  const last = () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>
  log.info({ jobId: 'job_1', headers: { a: canary }, filename: canary, reason: 'x'.repeat(1000), status: { canary } },
    'one')
  t.match(last(), { jobId: 'job_1', dropped: 3, msg: 'one', reason: 'x'.repeat(300) })
  t.equal(String(last()['reason']).length, 300)
  log.error({
    err: new StoreError('unavailable', `objects/${canary}`,
      Object.assign(new Error(canary), { code: 'ENOENT', syscall: 'open' }))
  }, 'two')
  t.match(last()['err'], { type: 'StoreError', code: 'unavailable', cause: { code: 'ENOENT', syscall: 'open' } })
  log.error({ err: new QueueError('unavailable', 'claim: no answer') }, 'three')
  t.match(last()['err'], { type: 'QueueError', message: 'claim: no answer' })
  log.error({ err: canary }, 'four')
  t.strictSame(last()['err'], { type: 'string' })
  log.error(new Error(canary))
  t.notMatch(lines.join(''), canary)
})

t.test('of what a tenant can repeat without end, a minute has so many lines, and the next says how many more there ' +
  'were', async (t) => {
  const lines: Array<Record<string, unknown>> = []
  const clock = { ms: 0 }
  const log = createLog('info', {}, {
    write: (line) => {
      lines.push(JSON.parse(line) as Record<string, unknown>)
    }
  }, new LineBound(() => clock.ms)).child({ workerId: 'w1' })
  for (let at = 0; at < 500; at++) log.warn({ tenant: 'acme', jobId: `job_${at}` }, 'callback attempt failed')
  t.equal(lines.length, 300)
  log.warn({ tenant: 'other' }, 'callback attempt failed')
  log.warn({ tenant: 'acme' }, 'another text')
  for (let at = 0; at < 400; at++) log.info({ tenant: 'acme' }, 'job ended')
  t.equal(lines.length, 702)
  clock.ms = 60_000
  log.info('later')
  t.match(lines.slice(702), [{
    msg: 'lines of the last minute were left out, such as this one',
    what: 'callback attempt failed',
    tenant: 'acme',
    jobId: 'job_300',
    count: 200
  }, { msg: 'later' }])
  log.warn({ tenant: 'acme' }, 'callback attempt failed')
  t.equal(lines.length, 705)
})

t.test("a tenant's errors hide neither another's, nor those of another kind, nor those that are nobody's", async (t) => {
  const lines: Array<Record<string, unknown>> = []
  const log = createLog('info', {}, {
    write: (line) => {
      lines.push(JSON.parse(line) as Record<string, unknown>)
    }
  })
  const shown = (): number => lines.splice(0).length
  for (let at = 0; at < 400; at++) log.error({ tenant: 'acme', code: 'connector_error' }, 'request failed')
  t.equal(shown(), 300)
  log.error({ tenant: 'acme', code: 'internal_error' }, 'request failed')
  log.error({ tenant: 'acme', err: new StoreError('unavailable', 'objects/x') }, 'request failed')
  log.error({ tenant: 'other', code: 'connector_error' }, 'request failed')
  t.equal(shown(), 3)
  const [own, others] = ['acme', 'other'].map((tenant) => log.child({ tenant, jobId: 'job_1' }))
  for (let at = 0; at < 400; at++) own?.warn('slot process died')
  others?.warn('slot process died')
  t.equal(shown(), 301, 'the tenant of a logger counts')
  for (let at = 0; at < 3_100; at++) log.error({ code: 'x' }, 'events not applied, they come again')
  t.equal(shown(), 3_000)
})

t.test('what fails for a tenant says for whom', async (t) => {
  const stage = await openApi(t, {}, (app) => {
    app.get('/test-failure', { config: { access: { scope: 'jobs:read', limits: ['read'] } } }, () => {
      throw new Error('it fails')
    })
  })
  const { statusCode } = await stage.app.inject({
    url: '/test-failure',
    headers: { authorization: `Bearer ${stage.key}` }
  })
  t.equal(statusCode, 500)
  t.match(stage.log().filter(({ msg }) => msg === 'request failed'), [{ tenant: 'acme', code: 'internal_error' }])
})

t.test('traceparent, as W3C Trace Context has it', async (t) => {
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  t.equal(readTraceparent(`00-${trace}-${parent}-01`), `00-${trace}-${parent}-01`)
  t.equal(readTraceparent(`00-${trace}-${parent}-00`), `00-${trace}-${parent}-00`)
  t.equal(readTraceparent(`cc-${trace}-${parent}-09-what-the-future-says`), `00-${trace}-${parent}-01`)
  for (const wrong of [
    undefined,
    '',
    [`00-${trace}-${parent}-01`],
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-1`,
    `cc-${trace}-${parent}-01.more`,
    `00-${trace}-${parent}-01\r\nx: y`
  ]) t.equal(readTraceparent(wrong), undefined)
})
