import t, { type Test } from 'tap'
import { RetrySchedule } from '../../../src/platform/due-work/retry-schedule.ts'
import { CallbackLedger } from '../../../src/services/callbacks/callback-ledger.ts'
import { EndpointLedger } from '../../../src/services/callbacks/endpoint-ledger.ts'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../../support/expect-error.ts'
import { form } from '../../support/form.ts'
import { startNameServer } from '../../support/name-server.ts'
import { openReceiver, status, type Delivery, type Receiver } from '../../support/receiver.ts'
import { finishTabular, upload } from '../../support/tabular.ts'
import { until } from '../../support/until.ts'
import { verifyWebhook } from '../../support/verify-webhook.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n'
type Json = Record<string, unknown>
interface Attempts {
  job_id: string
  attempts: Array<
    { webhook_id: string, type: string, attempt: number, at: string, status_code: number | null, error: string | null,
      duration_ms: number }
  >
  next_attempt_at: string | null
}

/** The interface, with the receivers opened for callbacks. */
class Desk {
  readonly stage: ApiStage
  readonly admin: string

  constructor (stage: ApiStage, admin: string) {
    this.stage = stage
    this.admin = admin
  }

  async ask (method: 'GET' | 'POST' | 'DELETE', url: string, key = this.stage.key): Promise<Answer> {
    const { statusCode, headers, payload } = await this.stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` }
    })
    return {
      status: statusCode,
      headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      text: payload
    }
  }

  async json<T = Json> (url: string): Promise<T> {
    return JSON.parse((await this.ask('GET', url)).text) as T
  }

  async submit (callbackUrl: string | null, key = this.stage.key): Promise<Answer> {
    const fields: Array<[string, string]> = callbackUrl === null ? [] : [['callback_url', callbackUrl]]
    const { headers, payload } = form([...fields, ['prediction_length', '1'], ['file', csv, 'a.csv']])
    const answer = await this.stage.app.inject({
      method: 'POST',
      url: '/forecast',
      headers: { ...headers, authorization: `Bearer ${key}` },
      payload
    })
    return {
      status: answer.statusCode,
      headers: new Headers({
        'content-type': 'application/json',
        'x-request-id': String(answer.headers['x-request-id']),
        link: String(answer.headers.link)
      }),
      text: answer.payload
    }
  }

  /** A job that has completed. */
  async completed (callbackUrl: string | null): Promise<string> {
    const { status, text } = await this.submit(callbackUrl)
    if (status !== 202) throw new Error(text)
    await this.stage.finishNext({ 'forecast.csv': table })
    const { job_id: jobId } = JSON.parse(text) as { job_id: string }
    await until('the job ends', async () => (await this.json(`/jobs/${jobId}`))['status'] === 'completed')
    return jobId
  }

  async attempts (jobId: string): Promise<Attempts> {
    return await this.json<Attempts>(`/jobs/${jobId}/callback-attempts`)
  }

  async becomes (jobId: string, callbackStatus: string): Promise<Json> {
    return await until(`the callback is ${callbackStatus}`, async () => {
      const job = await this.json(`/jobs/${jobId}`)
      return job['callback_status'] === callbackStatus ? job : undefined
    })
  }

  async secret (
    method: 'GET' | 'POST' = 'GET'
  ): Promise<{ secret: string, created_at: string, previous_expires_at: string | null }> {
    return JSON.parse((await this.ask(method, '/webhooks/secret', this.admin)).text) as Awaited<
      ReturnType<Desk['secret']>
    >
  }
}

async function open (t: Test, receivers: Receiver[], settings: Record<string, string> = {}): Promise<Desk> {
  const stage = await openApi(t, {
    TABCAST_CALLBACK_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','),
    TABCAST_CALLBACK_RETRY_SECONDS: '0,0.1,0.1,0.1',
    TABCAST_CALLBACK_TIMEOUT_MS: '5000',
    ...settings
  })
  return new Desk(stage, (await stage.keys.create({ tenant: 'acme', scopes: ['admin'] })).key)
}

t.test('the ends of jobs are announced, signed, with the job as GET answers it', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { secret } = await desk.secret()
  const { status: accepted, text } = await desk.submit(`${receiver.url}?token=hunter2`)
  t.equal(accepted, 202)
  const pending = JSON.parse(text) as Json
  t.equal(pending['callback_status'], 'pending')
  t.notMatch(text, 'hunter2', 'the address is not shown')
  t.equal(receiver.deliveries.length, 0, 'nothing is announced before the end')
  await desk.stage.finishNext({ 'forecast.csv': table })

  const [delivery] = await receiver.received(1) as [Delivery]
  t.match(delivery, {
    method: 'POST',
    path: '/hook?token=hunter2',
    headers: {
      'content-type': 'application/json',
      'user-agent': /^tabcast\//,
      'webhook-id': /^msg_[0-9A-HJKMNP-TV-Z]{26}$/
    }
  })
  const { type, timestamp, data, omitted } = verifyWebhook(secret, delivery)
  const job = await desk.becomes(String(pending['job_id']), 'delivered')
  t.equal(type, 'job.completed')
  t.equal(omitted, undefined)
  t.strictSame(data, { ...job, callback_status: 'pending' }, 'but for the callback itself')
  const { webhooks } = await desk.json<
    {
      webhooks: Record<string,
        { post: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }>
    }
  >('/openapi.json')
  const described = webhooks[type]?.post.requestBody.content['application/json']?.schema.properties
  t.strictSame([...Object.keys(JSON.parse(delivery.body) as object), 'omitted'], Object.keys(described ?? {}),
    'the interface description has it')
  t.ok(Date.parse(timestamp) >= Date.parse(String(job['completed_at'])))
  const { attempts, next_attempt_at: next } = await desk.attempts(String(job['job_id']))
  t.match(attempts, [{
    webhook_id: delivery.id,
    type: 'job.completed',
    attempt: 1,
    at: /Z$/,
    status_code: 204,
    error: null,
    duration_ms: Number
  }])
  t.equal(next, null)

  const failing = JSON.parse((await desk.submit(receiver.url)).text) as Json
  await desk.stage.finishNext({}, { code: 'pipeline_failed', error: 'It broke.' })
  const failure = verifyWebhook(secret, (await receiver.received(2))[1]!)
  t.match(failure, {
    type: 'job.failed',
    data: { job_id: failing['job_id'], status: 'failed', error_code: 'pipeline_failed', error: 'It broke.' }
  })

  const classified = JSON.parse(
    (await upload(desk.stage, desk.stage.key, '/v2/classify', { callback_url: receiver.url })).text
  ) as Json
  await finishTabular(desk.stage)
  const end = verifyWebhook(secret, (await receiver.received(3))[2]!)
  const tableJob = await desk.becomes(String(classified['job_id']), 'delivered')
  t.match(tableJob, { job_type: 'classification', accuracy: 0.9 })
  t.strictSame(end.data, { ...tableJob, callback_status: 'pending' }, 'in the shape of its type')

  const quiet = await desk.completed(null)
  t.equal((await desk.json(`/jobs/${quiet}`))['callback_status'], null)
  t.strictSame(await desk.attempts(quiet), { job_id: quiet, attempts: [], next_attempt_at: null })
})

t.test('49: a callback_url that leads here or nowhere is a 422 at submit, and not repeated in the answer', async (t) => {
  const desk = await open(t, [])
  const urls = [
    'http://169.254.169.254',
    'https://169.254.170.2',
    'https://169.254.170.23',
    'https://[fd00:ec2::254]',
    'http://[::ffff:7f00:1]',
    'http://0',
    'http://017700000001',
    'http://127.1',
    'https://127.1',
    'https://localhost.',
    'https://user@example.com',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'http://example.com/',
    'https://example.com:8080/',
    'ftp://example.com',
    'example.com',
    'https://example.com/#canary',
    'canary'
  ]
  for (const url of urls) {
    const answer = await desk.submit(url)
    const [field, ...others] = fieldsOf(await expectError(t, answer, 422, 'validation_error'))
    t.match(field, { loc: ['body', 'callback_url'], type: 'callback_url_not_allowed' }, url)
    t.equal(others.length, 0)
    t.notMatch(answer.text, 'canary')
  }
  t.strictSame((await desk.json<{ jobs: unknown[] }>('/jobs')).jobs, [], 'no job came of it')
  t.equal((await desk.submit('https://example.com:8443/hook?a=b')).status, 202)
  t.equal((await desk.submit('')).status, 202, 'empty is not given')
})

t.test('a failed attempt is made again under the same id, and the job does not notice', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { secret } = await desk.secret()
  receiver.answer = (response, index, delivery) =>
    index < 2 ? status(503)(response, index, delivery) : status(200)(response, index, delivery)
  const jobId = await desk.completed(receiver.url)
  const before = await desk.json(`/jobs/${jobId}`)
  const deliveries = await receiver.received(3)
  t.equal(new Set(deliveries.map(({ id }) => id)).size, 1)
  for (const delivery of deliveries) {
    t.equal(verifyWebhook(secret, delivery).data['job_id'], jobId, 'every attempt is signed anew')
  }
  t.strictSame({ ...await desk.becomes(jobId, 'delivered'), callback_status: null }, {
    ...before,
    callback_status: null
  })
  t.match((await desk.attempts(jobId)).attempts.map(({ attempt, status_code: code, error }) => [attempt, code, error]),
    [[1, 503, 'http_status'], [2, 503, 'http_status'], [3, 200, null]])

  receiver.answer = status(500)
  const lost = await desk.completed(receiver.url)
  t.equal((await desk.becomes(lost, 'failed'))['status'], 'completed')
  t.match(await desk.attempts(lost), { attempts: { length: 4 }, next_attempt_at: null }, 'as many as there are pauses')

  receiver.answer = status(410)
  const gone = await desk.completed(receiver.url)
  await desk.becomes(gone, 'failed')
  t.equal((await desk.attempts(gone)).attempts.length, 1, '410 stops it')

  receiver.answer = status(429, { 'retry-after': '300' })
  const later = await desk.completed(receiver.url)
  await desk.becomes(later, 'delivering')
  const { attempts, next_attempt_at: next } = await desk.attempts(later)
  t.ok(Date.parse(next ?? '') - Date.parse(attempts[0]?.at ?? '') >= 300_000, 'Retry-After is kept to')
})

t.test('no attempt is planned for a time when the job has expired', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = status(503)
  const desk = await open(t, [receiver], {
    TABCAST_JOB_RETENTION_SECONDS: '30',
    TABCAST_CALLBACK_RETRY_SECONDS: '0,40,40'
  })
  const jobId = await desk.completed(receiver.url)
  await desk.becomes(jobId, 'failed')
  t.equal((await desk.attempts(jobId)).attempts.length, 1)
})

t.test("the secret is the tenant's, shown to admins, and replaced with a day in which both sign", async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  for (const method of ['GET', 'POST'] as const) {
    await expectError(t, await desk.ask(method, '/webhooks/secret'), 403, 'auth_failed')
  }
  const first = await desk.secret()
  t.match(first, { secret: /^whsec_/, created_at: /Z$/, previous_expires_at: null })
  t.strictSame(await desk.secret(), first, 'looking does not change it')
  const second = await desk.secret('POST')
  t.not(second.secret, first.secret)
  t.ok(Date.parse(second.previous_expires_at ?? '') > Date.parse(second.created_at))
  await desk.completed(receiver.url)
  const [delivery] = await receiver.received(1) as [Delivery]
  t.equal(String(delivery.headers['webhook-signature']).split(' ').length, 2)
  for (const { secret } of [first, second]) t.ok(verifyWebhook(secret, delivery))
  const other = (await desk.stage.keys.create({ tenant: 'other', scopes: ['admin'] })).key
  const { secret } = JSON.parse((await desk.ask('GET', '/webhooks/secret', other)).text) as { secret: string }
  t.throws(() => verifyWebhook(secret, delivery), /no signature/)
})

t.test('the attempts of a foreign job are those of an unknown one: 404', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const jobId = await desk.completed(receiver.url)
  const stranger = (await desk.stage.keys.create({ tenant: 'stranger' })).key
  const unknown = jobId.slice(0, -1) + (jobId.endsWith('0') ? '1' : '0')
  const bodies = []
  for (const id of [jobId, unknown, 'nonsense']) {
    const envelope = await expectError(t, await desk.ask('GET', `/jobs/${id}/callback-attempts`, stranger), 404,
      'job_not_found')
    bodies.push({ ...envelope, request_id: '' })
  }
  t.strictSame(bodies[0], bodies[1])
  t.strictSame(bodies[0], bodies[2])
  await expectError(t, await desk.ask('GET', `/jobs/${jobId}/callback-attempts`, desk.admin), 403, 'auth_failed')
})

t.test('a job that is deleted is not announced any more', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = status(503)
  const desk = await open(t, [receiver], { TABCAST_CALLBACK_RETRY_SECONDS: '0,0.5,0.5' })
  const deleted = await desk.completed(receiver.url)
  await desk.becomes(deleted, 'delivering')
  t.equal((await desk.ask('DELETE', `/jobs/${deleted}`)).status, 204)
  await expectError(t, await desk.ask('GET', `/jobs/${deleted}/callback-attempts`), 404, 'job_not_found')
  const kept = await desk.completed(receiver.url)
  await desk.becomes(kept, 'failed')
  const announced = receiver.deliveries.map(({ body }) =>
    (JSON.parse(body) as { data: { job_id: string } }).data.job_id
  )
  t.strictSame(announced, [deleted, kept, kept, kept], 'later announcements of another job were made meanwhile')
  for (const name of ['callbackMessages', 'callbackDue']) {
    t.notMatch(JSON.stringify([...desk.stage.metadata.table(name).range()].map(({ key, value }) => [key, value])),
      deleted, `${name} holds nothing of it`)
  }
})

t.test('52: an endpoint that never answers costs its own attempts, not those of others', async (t) => {
  const silent = await openReceiver(t)
  const prompt = await openReceiver(t)
  silent.answer = () => undefined
  const desk = await open(t, [silent, prompt], {
    TABCAST_CALLBACK_TIMEOUT_MS: '1000',
    TABCAST_CALLBACK_RETRY_SECONDS: '0'
  })
  const held: string[] = []
  // More than go to one host at a time.
  for (let turn = 0; turn < 12; turn++) held.push(await desk.completed(silent.url))
  await desk.becomes(await desk.completed(prompt.url), 'delivered')
  for (const jobId of held) {
    t.match(await desk.becomes(jobId, 'failed'), { status: 'completed', error: null })
    t.match((await desk.attempts(jobId)).attempts, [{ status_code: null, error: 'timeout' }])
  }
})

t.test('a host that answers nothing gets one attempt a second, until it answers', async (t) => {
  const gone = await openReceiver(t)
  gone.answer = ({ socket }) => socket?.destroy()
  const desk = await open(t, [gone], { TABCAST_CALLBACK_RETRY_SECONDS: '0' })
  const jobs: string[] = []
  // Six attempts may be under way when the tenth has failed.
  for (let at = 0; at < 20; at++) jobs.push(await desk.completed(gone.url))
  for (const jobId of jobs) await desk.becomes(jobId, 'failed')
  const times: number[] = []
  for (const jobId of jobs) {
    const { attempts } = await desk.attempts(jobId)
    t.match(attempts, [{ status_code: null, error: 'connection_failed' }])
    times.push(...attempts.map(({ at }) => Date.parse(at)))
  }
  times.sort((one, other) => one - other)
  for (const at of [18, 19]) {
    const gap = times[at]! - times[at - 1]!
    t.ok(gap >= 900, `${gap} ms between two attempts`)
  }
  gone.answer = status(204)
  const after = await Promise.all([desk.completed(gone.url), desk.completed(gone.url), desk.completed(gone.url)])
  for (const jobId of after) await desk.becomes(jobId, 'delivered')
})

t.test("paths of two tenants that never answer hold up no third tenant's callbacks to the same host", async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = (response, _index, { path }) => {
    if (!path.endsWith('?hangs')) response.writeHead(204).end()
  }
  const desk = await open(t, [receiver], { TABCAST_CALLBACK_TIMEOUT_MS: '15000', TABCAST_CALLBACK_RETRY_SECONDS: '0' })
  const hanging = (): number => receiver.deliveries.filter(({ path }) => path.endsWith('?hangs')).length
  const announce = async (tenant: string, url: string): Promise<void> => {
    const { key } = await desk.stage.keys.create({ tenant })
    const { status: accepted, text } = await desk.submit(url, key)
    t.equal(accepted, 202, text)
    await desk.stage.finishNext({ 'forecast.csv': table })
  }
  for (let turn = 0; turn < 8; turn++) await announce('one', `${receiver.url}?hangs`)
  await until('the places of one tenant', () => hanging() === 6)
  for (let turn = 0; turn < 4; turn++) await announce('two', `${receiver.url}?hangs`)
  await until('all places', () => hanging() === 8)
  await announce('good', receiver.url)
  await until('the callback of the third tenant', () => receiver.deliveries.some(({ path }) => path === '/hook'),
    10_000)
  t.equal(hanging(), 8, 'while those of the others still hang')
})

t.test('hosts whose name server is silent hold up their own tenant, and no name of another', async (t) => {
  const names = await startNameServer(t, (name) => name.endsWith('.dead.example') ? undefined : ['127.0.0.9'])
  const desk = await open(t, [], {
    TABCAST_NAME_SERVERS: names.address,
    TABCAST_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CALLBACK_TIMEOUT_MS: '60000'
  })
  const announce = async (tenant: string, url: string): Promise<{ jobId: string, key: string }> => {
    const { key } = await desk.stage.keys.create({ tenant })
    const { text } = await desk.submit(url, key)
    await desk.stage.finishNext({ 'forecast.csv': table })
    return { jobId: (JSON.parse(text) as { job_id: string }).job_id, key }
  }
  const dead = []
  for (let turn = 0; turn < 12; turn++) dead.push(await announce('evil', `https://n${turn}.dead.example/`))
  await until('names that nobody answers for', () => names.asked.some((name) => name.endsWith('.dead.example')))
  const attemptsOf = async ({ jobId, key }: { jobId: string, key: string }) =>
    (JSON.parse((await desk.ask('GET', `/jobs/${jobId}/callback-attempts`, key)).text) as Attempts).attempts
  // Nobody listens there: that it is refused tells that the name was looked up.
  const good = await announce('good', 'https://fine.example:8443/')
  t.match(await until('the attempt of the other tenant', async () => (await attemptsOf(good))[0]), {
    error: 'connection_failed'
  })
  for (const one of dead) {
    t.match(await until('an attempt that ends', async () => (await attemptsOf(one))[0], 60_000), {
      error: 'name_not_resolved'
    })
  }
})

t.test('row 30: an endpoint that flaps gets every announcement at least once, each under one id', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver], {
    TABCAST_CALLBACK_RETRY_SECONDS: `0${',0.05'.repeat(30)}`,
    TABCAST_CALLBACK_TIMEOUT_MS: '200'
  })
  const { secret } = await desk.secret()
  const moods: Array<Receiver['answer']> = [status(503), (response) => response.destroy(), status(200), () => undefined,
    status(302, { location: receiver.url }), status(204)]
  receiver.answer = (response, index, delivery) =>
    moods[(index * 7 + index % 5) % moods.length]?.(response, index, delivery)
  const jobs: string[] = []
  for (let turn = 0; turn < 15; turn++) jobs.push(await desk.completed(receiver.url))
  const ids = new Map<string, Set<string>>()
  for (const jobId of jobs) t.match(await desk.becomes(jobId, 'delivered'), { status: 'completed', attempt: 1 })
  for (const delivery of receiver.deliveries) {
    const jobId = String(verifyWebhook(secret, delivery).data['job_id'])
    ids.set(jobId, (ids.get(jobId) ?? new Set()).add(delivery.id))
  }
  t.strictSame([...ids.keys()].sort(), [...jobs].sort())
  t.ok([...ids.values()].every((one) => one.size === 1), 'one id for all attempts of a job')
})

t.test('what else happens to a job is announced beside its end, and its status speaks for all of it', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const jobId = await desk.completed(receiver.url)
  await desk.becomes(jobId, 'delivered')
  // As the room of deliveries does it, in the transaction that notes the delivery.
  const ledger = new CallbackLedger({
    metadata: desk.stage.metadata,
    schedule: new RetrySchedule('TEST', '0,0.1'),
    endpoints: new EndpointLedger(desk.stage.metadata),
    maxWaiting: 100
  })
  const announce = async (type: 'job.delivered' | 'job.delivery_failed'): Promise<JobRecord | undefined> =>
    await desk.stage.jobs.amend('acme', jobId, (record, tx) => ledger.announce(tx, record, type))
  t.equal((await announce('job.delivered'))?.callback?.status, 'pending')
  await receiver.received(2)
  await desk.becomes(jobId, 'delivered')
  receiver.answer = status(410)
  await announce('job.delivery_failed')
  await desk.becomes(jobId, 'failed')
  t.match((await desk.attempts(jobId)).attempts.map(({ type, error }) => [type, error]), [['job.completed', null], [
    'job.delivered',
    null
  ], ['job.delivery_failed', 'http_status']])
  t.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, 3)
})

t.test('an attempt under way is not one yet, and the end of the service does not wait for it', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = () => undefined
  const desk = await open(t, [receiver], { TABCAST_CALLBACK_TIMEOUT_MS: '600000' })
  const jobId = await desk.completed(receiver.url)
  await receiver.received(1)
  t.match(await desk.attempts(jobId), { attempts: [], next_attempt_at: String })
  t.equal((await desk.json(`/jobs/${jobId}`))['callback_status'], 'pending')
})
