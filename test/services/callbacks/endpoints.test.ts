import t, { type Test } from 'tap'
import { RetrySchedule } from '../../../src/platform/due-work/retry-schedule.ts'
import { CallbackLedger } from '../../../src/services/callbacks/callback-ledger.ts'
import { EndpointLedger } from '../../../src/services/callbacks/endpoint-ledger.ts'
import type { WebhookSecretRecord } from '../../../src/services/callbacks/tables.ts'
import { keptUnsent, maxWebhookEndpoints,
  type WebhookEndpoint } from '../../../src/services/callbacks/webhook-endpoint.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../../support/expect-error.ts'
import { askForForecast, endedJob } from '../../support/fine-tuning.ts'
import { openReceiver, status, type Delivery, type Receiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { verifyWebhook } from '../../support/verify-webhook.ts'

/* Webhook endpoints: where a tenant is told of all its jobs, over the same sender as a job's callback_url. */

interface Endpoint {
  endpoint_id: string
  url: string
  events: string[]
  description: string | null
  enabled: boolean
  disabled_reason: string | null
  failing_since: string | null
}
interface Sent {
  webhook_id: string
  type: string
  job_id: string | null
  status: string
  next_attempt_at: string | null
  attempts: Array<{ at: string, status_code: number | null, error: string | null }>
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

class Desk {
  readonly stage: ApiStage
  readonly key: string

  constructor (stage: ApiStage, key: string) {
    this.stage = stage
    this.key = key
  }

  async ask (method: Method, url: string, payload?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(payload === undefined ? {} : { payload })
    })
    return {
      status: answer.statusCode,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      text: answer.payload
    }
  }

  async json<T> (method: Method, url: string, payload?: object): Promise<T> {
    const { status, text } = await this.ask(method, url, payload)
    if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`)
    return JSON.parse(text) as T
  }

  async endpoint (receiver: Receiver, more: object = {}): Promise<Endpoint> {
    return await this.json<Endpoint>('POST', '/webhooks/endpoints', { url: `${receiver.url}?token=hunter2`, ...more })
  }

  async secret (id: string): Promise<string> {
    return (await this.json<{ secret: string }>('GET', `/webhooks/endpoints/${id}/secret`)).secret
  }

  async sent (id: string, query = ''): Promise<Sent[]> {
    return (await this.json<{ deliveries: Sent[] }>('GET', `/webhooks/endpoints/${id}/deliveries${query}`)).deliveries
  }

  /** A job that has ended. */
  async job (fields: Array<[string, string]> = [], fails = false): Promise<string> {
    const answer = await askForForecast(this.stage, this.key, [['prediction_length', '1'], ...fields])
    if (answer.statusCode !== 202) throw new Error(answer.body)
    await (fails
      ? this.stage.finishNext({}, { code: 'pipeline_failed', error: 'It broke.' })
      : this.stage.finishNext({ 'forecast.csv': 'x' }))
    return (await endedJob(this.stage, this.key, answer.json<{ job_id: string }>().job_id)).job_id
  }

  async callback (jobId: string): Promise<string> {
    return (await this.json<{ callback_status: string }>('GET', `/jobs/${jobId}`)).callback_status
  }

  /** Attempts of its callback that are noted. */
  async attempted (jobId: string): Promise<number> {
    return (await this.json<{ attempts: object[] }>('GET', `/jobs/${jobId}/callback-attempts`)).attempts.length
  }

  async becomes (id: string, wanted: string): Promise<Sent> {
    return await until(`the newest delivery is ${wanted}`,
      async () => (await this.sent(id)).find((one, index) => index === 0 && one.status === wanted))
  }
}

async function open (t: Test, receivers: Receiver[], settings: Record<string, string> = {}): Promise<Desk> {
  const stage = await openApi(t, {
    TABCAST_CALLBACK_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','),
    TABCAST_CALLBACK_RETRY_SECONDS: '0,0.1,0.1',
    TABCAST_CALLBACK_TIMEOUT_MS: '5000',
    ...settings
  })
  return new Desk(stage, (await stage.keys.create({
    tenant: 'acme',
    scopes: ['forecast', 'jobs:read', 'jobs:delete', 'webhooks', 'audit:read']
  })).key)
}

t.test('an endpoint is told of the ends of all jobs, signed with its own secret, beside the callback_url of a job', async (t) => {
  const [all, failures, own] = [await openReceiver(t), await openReceiver(t), await openReceiver(t)]
  const desk = await open(t, [all, failures, own])
  const made = await desk.ask('POST', '/webhooks/endpoints', {
    url: `${all.url}?token=hunter2`,
    description: 'the warehouse'
  })
  t.equal(made.status, 201, made.text)
  const first = JSON.parse(made.text) as Endpoint
  t.match(first, {
    endpoint_id: /^whep_[0-9A-HJKMNP-TV-Z]{26}$/,
    events: ['job.completed', 'job.failed', 'job.delivered', 'job.delivery_failed'],
    description: 'the warehouse',
    enabled: true,
    disabled_reason: null,
    failing_since: null
  })
  t.equal(made.headers.get('location'), `/webhooks/endpoints/${first.endpoint_id}`)
  const second = await desk.endpoint(failures, { events: ['job.failed'] })

  const jobId = await desk.job([['callback_url', own.url]])
  const [told] = await all.received(1) as [Delivery]
  const [called] = await own.received(1) as [Delivery]
  t.equal(told.path, '/hook?token=hunter2')
  t.match(verifyWebhook(await desk.secret(first.endpoint_id), told), {
    type: 'job.completed',
    data: { job_id: jobId, status: 'completed' }
  })
  t.not(told.id, called.id)
  const { secret } = await desk.json<{ secret: string }>('GET', '/webhooks/secret')
  t.match(verifyWebhook(secret, called), { type: 'job.completed' })
  t.throws(() => verifyWebhook(secret, told), /no signature/, 'the secret of the tenant is another one')
  t.match(await desk.becomes(first.endpoint_id, 'delivered'), {
    webhook_id: told.id,
    type: 'job.completed',
    job_id: jobId,
    next_attempt_at: null,
    attempts: [{ status_code: 204, error: null }]
  })
  await until('the callback is noted',
    async () => (await desk.json<{ callback_status: string }>('GET', `/jobs/${jobId}`)).callback_status === 'delivered')
  const { attempts } = await desk.json<{ attempts: object[] }>('GET', `/jobs/${jobId}/callback-attempts`)
  t.match(attempts, [{ webhook_id: called.id }], 'a job tells of its callback_url alone')
  t.equal(attempts.length, 1)

  await desk.job([], true)
  t.match(verifyWebhook(await desk.secret(second.endpoint_id), (await failures.received(1))[0]!), {
    type: 'job.failed',
    data: { error_code: 'pipeline_failed' }
  })
  await all.received(2)
  t.equal((await desk.sent(second.endpoint_id)).length, 1, 'it is told of failures only')
  const page = await desk.json<{ deliveries: Sent[], next_cursor: string }>('GET',
    `/webhooks/endpoints/${first.endpoint_id}/deliveries?limit=1`)
  t.match(page.deliveries, [{ type: 'job.failed' }], 'newest first')
  t.match(
    await desk.json('GET', `/webhooks/endpoints/${first.endpoint_id}/deliveries?limit=1&cursor=${page.next_cursor}`),
    { deliveries: [{ type: 'job.completed' }], next_cursor: null }
  )
  t.strictSame(
    (await desk.json<{ endpoints: Endpoint[] }>('GET', '/webhooks/endpoints')).endpoints.map(({ endpoint_id: id }) =>
      id
    ),
    [first.endpoint_id, second.endpoint_id]
  )

  t.equal((await desk.ask('DELETE', `/jobs/${jobId}`)).status, 204)
  t.notOk((await desk.sent(first.endpoint_id)).some(({ job_id: id }) => id === jobId), 'a delivery goes with its job')
  t.notMatch(desk.stage.logged.join(''), 'hunter2', 'the address is in no log')
})

t.test('a test event, its retries, and a delivery that is sent again', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { endpoint_id: id } = await desk.endpoint(receiver)
  receiver.answer = status(500)
  const tested = await desk.ask('POST', `/webhooks/endpoints/${id}/test`)
  t.equal(tested.status, 202, tested.text)
  const test = JSON.parse(tested.text) as Sent
  t.match(test, { webhook_id: /^msg_/, type: 'webhook.test', job_id: null, status: 'pending', attempts: [] })
  t.match(await desk.becomes(id, 'failed'), {
    webhook_id: test.webhook_id,
    attempts: [{ status_code: 500, error: 'http_status' }, {}, {}]
  })
  t.type((await desk.json<Endpoint>('GET', `/webhooks/endpoints/${id}`)).failing_since, 'string')
  t.match(verifyWebhook(await desk.secret(id), receiver.deliveries[0]!), {
    type: 'webhook.test',
    data: { endpoint_id: id }
  })

  receiver.answer = status(204)
  const again = await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/${test.webhook_id}/redeliver`)
  t.equal(again.status, 202, again.text)
  t.match(JSON.parse(again.text), { webhook_id: test.webhook_id, status: 'delivering' })
  const { attempts } = await desk.becomes(id, 'delivered')
  t.equal(attempts.length, 4)
  t.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, 1, 'under one webhook-id')
  t.equal((await desk.json<Endpoint>('GET', `/webhooks/endpoints/${id}`)).failing_since, null)
  await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/${test.webhook_id}/redeliver`)
  await receiver.received(5)

  for (let turn = 0; turn < 25; turn++) await desk.ask('POST', `/webhooks/endpoints/${id}/test`)
  t.equal((await desk.sent(id)).length, 20, 'of test events the newest stay')
  const actions = await desk.json<{ records: Array<{ action: string }> }>('GET', '/audit')
  for (const action of ['webhook_endpoint.create', 'webhook_endpoint.test', 'webhook_delivery.redeliver']) {
    t.ok(actions.records.some((record) => record.action === action), action)
  }
})

t.test('an endpoint that is gone, or failed for days, is disabled; enabled again it is told again', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { endpoint_id: id } = await desk.endpoint(receiver)
  const shown = async () => await desk.json<Endpoint>('GET', `/webhooks/endpoints/${id}`)
  receiver.answer = status(410)
  await desk.job()
  const gone = await desk.becomes(id, 'failed')
  t.equal(gone.attempts.length, 1)
  t.match(await shown(), { enabled: false, disabled_reason: 'gone' })
  await desk.job()
  t.equal((await desk.sent(id)).length, 1, 'a disabled endpoint is told nothing')
  for (const path of ['test', `deliveries/${gone.webhook_id}/redeliver`]) {
    await expectError(t, await desk.ask('POST', `/webhooks/endpoints/${id}/${path}`), 409, 'validation_error')
  }

  receiver.answer = status(204)
  t.match(await desk.json('PATCH', `/webhooks/endpoints/${id}`, { enabled: true }), {
    enabled: true,
    disabled_reason: null,
    failing_since: null
  })
  await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/${gone.webhook_id}/redeliver`)
  await desk.becomes(id, 'delivered')

  const table = desk.stage.metadata.table<WebhookEndpoint>('webhookEndpoints')
  const record = table.get(['acme', id])?.value as WebhookEndpoint
  await desk.stage.metadata.transact((tx) =>
    tx.put(table, ['acme', id], { ...record, failingSinceMs: Date.now() - 5 * 86_400_000 - 1000 })
  )
  receiver.answer = status(500)
  await desk.ask('POST', `/webhooks/endpoints/${id}/test`)
  await until('it is disabled', async () => !(await shown()).enabled)
  t.match(await shown(), { disabled_reason: 'failing' })
  t.match(await desk.becomes(id, 'failed'), { attempts: [{ error: 'http_status' }, { error: 'endpoint_disabled' }] },
    'what waited is over')
  const { records } = await desk.json<{ records: Array<{ action: string, actor: string, target_id: string }> }>('GET',
    '/audit')
  t.strictSame(
    records.filter(({ action }) => action === 'webhook_endpoint.disable').map((
      { actor, target_id: target }
    ) => [actor, target]),
    [['service', id], ['service', id]]
  )
})

t.test('an endpoint is changed, its secret replaced, and it is deleted with its secret', async (t) => {
  const [old, next] = [await openReceiver(t), await openReceiver(t)]
  const desk = await open(t, [old, next])
  const { endpoint_id: id } = await desk.endpoint(old, { events: ['job.completed'] })
  const before = await desk.secret(id)
  t.match(
    await desk.json('PATCH', `/webhooks/endpoints/${id}`, {
      url: next.url,
      events: ['job.failed'],
      description: 'other'
    }),
    { url: next.url, events: ['job.failed'], description: 'other', enabled: true }
  )
  const { secret: after, previous_expires_at: until } = await desk.json<
    { secret: string, previous_expires_at: string }
  >('POST', `/webhooks/endpoints/${id}/secret`)
  t.not(after, before)
  t.ok(Date.parse(until) > Date.now())
  await desk.job()
  await desk.job([], true)
  const [told] = await next.received(1) as [Delivery]
  for (const secret of [before, after]) t.match(verifyWebhook(secret, told), { type: 'job.failed' })
  t.equal(old.deliveries.length, 0)
  const secrets = desk.stage.metadata.table<WebhookSecretRecord>('webhookSecrets')
  t.equal(secrets.count({ prefix: ['acme', id] }), 1)
  t.equal((await desk.ask('DELETE', `/webhooks/endpoints/${id}`)).status, 204)
  t.equal(secrets.count({ prefix: ['acme', id] }), 0)
  for (const [method, path] of [['GET', ''], ['PATCH', ''], ['DELETE', ''], ['GET', '/secret'], ['POST', '/secret'], [
    'POST',
    '/test'
  ], ['GET', '/deliveries'], ['POST', `/deliveries/${told.id}/redeliver`]] as const) {
    await expectError(t,
      await desk.ask(method, `/webhooks/endpoints/${id}${path}`, method === 'PATCH' ? { enabled: false } : undefined),
      404, 'not_found')
  }
  await desk.job([], true)
  t.equal(next.deliveries.length, 1)
})

t.test('what is wrong is said of its field, and nothing is made', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { endpoint_id: id } = await desk.endpoint(receiver)
  const bad: Array<[object, string]> = [
    [{ url: '' }, 'url'],
    [{ url: 'not an address' }, 'url'],
    [{ url: 'http://169.254.169.254/x' }, 'url'],
    [{ url: 'https://user@example.com/' }, 'url'],
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2048)}` }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: receiver.url, events: [] }, 'events'],
    [{ url: receiver.url, events: ['job.started'] }, 'events'],
    [{ url: receiver.url, events: ['job.failed', 'job.failed'] }, 'events'],
    [{ url: receiver.url, description: 'a\nb' }, 'description'],
    [{ url: receiver.url, description: 'x'.repeat(201) }, 'description'],
    [{ url: receiver.url, enabled: 'yes' }, 'enabled'],
    [{ url: receiver.url, color: 'red' }, 'color']
  ]
  for (const [body, field] of bad) {
    for (const [method, path] of [['POST', ''], ['PATCH', `/${id}`]] as const) {
      const fields = fieldsOf(
        await expectError(t, await desk.ask(method, `/webhooks/endpoints${path}`, body), 422, 'validation_error')
      )
      t.strictSame(fields[0]?.loc.slice(0, 2), ['body', field], `${method} ${JSON.stringify(body).slice(0, 80)}`)
    }
  }
  await expectError(t, await desk.ask('POST', '/webhooks/endpoints', {}), 422, 'validation_error')
  await expectError(t, await desk.ask('PATCH', `/webhooks/endpoints/${id}`, {}), 422, 'validation_error')
  await expectError(t, await desk.ask('GET', `/webhooks/endpoints/${id}/deliveries?limit=201`), 422, 'validation_error')
  await expectError(t, await desk.ask('GET', `/webhooks/endpoints/${id}/deliveries?cursor=x`), 422, 'validation_error')
  await expectError(t, await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/nonsense/redeliver`), 404,
    'not_found')
  await expectError(t,
    await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/msg_01AAAAAAAAAAAAAAAAAAAAAAAA/redeliver`), 404,
    'not_found')
  t.equal((await desk.json<{ endpoints: Endpoint[] }>('GET', '/webhooks/endpoints')).endpoints.length, 1)

  const { max_webhook_endpoints: max } = await desk.json<{ max_webhook_endpoints: number }>('GET', '/limits')
  t.equal(max, maxWebhookEndpoints)
  const answers = await Promise.all(
    Array.from({ length: max + 5 }, () => desk.ask('POST', '/webhooks/endpoints', { url: receiver.url }))
  )
  t.equal(answers.filter(({ status }) => status === 201).length, max - 1)
  for (const answer of answers) if (answer.status !== 201) await expectError(t, answer, 400, 'validation_error')
})

/** Holds its answers until somebody calls what it gives. */
function holdAnswers (receiver: Receiver): () => void {
  const held: Array<() => void> = []
  receiver.answer = (...delivery) => held.push(() => status(204)(...delivery))
  return () => {
    receiver.answer = status(204)
    for (const answer of held) answer()
  }
}

t.test('a host that fails leaves the others their room, and what is not sent to an endpoint can be sent again', async (t) => {
  const [failing, healthy] = [await openReceiver(t), await openReceiver(t)]
  const desk = await open(t, [failing, healthy], {
    TABCAST_CALLBACKS_PER_TENANT: '4',
    TABCAST_CALLBACK_TIMEOUT_MS: '600000',
    TABCAST_CALLBACK_RETRY_SECONDS: '0,600'
  })
  failing.answer = status(503)
  const { endpoint_id: id } = await desk.endpoint(failing)
  const first = await desk.job([['callback_url', failing.url]])
  await until('both attempts are noted',
    async () => (await desk.sent(id))[0]?.attempts.length === 1 && (await desk.attempted(first)) === 1)
  const table = desk.stage.metadata.table<{ waiting: number, ofFailing?: number }>('callbackTotals')
  const waiting = () => [['acme'], ['acme', failing.host]].map((key) => table.get(key)?.value.waiting)
  t.strictSame(waiting(), [2, 2], 'they wait for their second attempts')

  const second = await desk.job([['callback_url', failing.url]])
  t.equal(await desk.callback(second), 'failed')
  t.strictSame(await desk.json('GET', `/jobs/${second}/callback-attempts`), {
    job_id: second,
    attempts: [],
    next_attempt_at: null
  })
  const [unsent] = await desk.sent(id) as [Sent]
  t.match(unsent, { job_id: second, status: 'failed', attempts: [], next_attempt_at: null })
  t.match(await desk.json('GET', `/webhooks/endpoints/${id}`), { unsent_messages: 1 })

  const answer = holdAnswers(healthy)
  const told = [await desk.job([['callback_url', healthy.url]]), await desk.job([['callback_url', healthy.url]])]
  await healthy.received(2)
  t.strictSame(waiting(), [4, 2], 'the rest of the room is for the host that has not failed')
  t.equal(await desk.callback(await desk.job([['callback_url', healthy.url]])), 'failed', 'the room is full')
  answer()
  for (const jobId of told) {
    await until('it is delivered', async () => await desk.callback(jobId) === 'delivered')
  }
  t.strictSame(waiting(), [2, 2])

  const again = `/webhooks/endpoints/${id}/deliveries/${unsent.webhook_id}/redeliver`
  await expectError(t, await desk.ask('POST', again), 409, 'validation_error')
  t.equal((await desk.ask('DELETE', `/jobs/${first}`)).status, 204)
  t.strictSame(waiting(), [0, undefined], 'what goes with its job waits no more')
  failing.answer = status(204)
  t.equal((await desk.ask('POST', again)).status, 202)
  await until('it is sent after all',
    async () => (await desk.sent(id)).some((one) => one.webhook_id === unsent.webhook_id && one.status === 'delivered'))
  t.strictSame(waiting(), [0, undefined])
})

t.test('however many hosts fail, half of the room is left for a healthy one', async (t) => {
  const [one, two, three, healthy] = [await openReceiver(t), await openReceiver(t), await openReceiver(t),
    await openReceiver(t)]
  const desk = await open(t, [one, two, three, healthy], {
    TABCAST_CALLBACKS_PER_TENANT: '8',
    TABCAST_CALLBACK_TIMEOUT_MS: '600000',
    TABCAST_CALLBACK_RETRY_SECONDS: '0,600'
  })
  const announce = async (receiver: Receiver): Promise<string> => await desk.job([['callback_url', receiver.url]])
  /** How many of five wait, each announced when the attempt before has failed. */
  const waitFor = async (receiver: Receiver): Promise<number> => {
    receiver.answer = status(503)
    for (let told = 0; told < 5; told++) {
      const jobId = await announce(receiver)
      if (await desk.callback(jobId) === 'failed') return told
      await until('its attempt is noted', async () => await desk.attempted(jobId) === 1)
    }
    return 5
  }
  t.strictSame([await waitFor(one), await waitFor(two), await waitFor(three)], [2, 1, 1],
    'each takes at most half of what is left of their half')
  const answer = holdAnswers(healthy)
  const told = []
  for (let turn = 0; turn < 4; turn++) told.push(await announce(healthy))
  t.equal(await desk.callback(await announce(healthy)), 'failed', 'the room is full')
  answer()
  for (const jobId of told) await until('it is delivered', async () => await desk.callback(jobId) === 'delivered')
})

t.test('a host that failed is healthy again when ten attempts in a row got through', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver], { TABCAST_CALLBACK_RETRY_SECONDS: '0,600' })
  receiver.answer = status(503)
  const failed = await desk.job([['callback_url', receiver.url]])
  await until('its attempt is noted', async () => await desk.attempted(failed) === 1)
  const table = desk.stage.metadata.table<{ waiting: number, ofFailing?: number }>('callbackTotals')
  const ofFailing = () => table.get(['acme'])?.value.ofFailing
  t.equal(ofFailing(), 1)
  receiver.answer = status(204)
  for (let turn = 0; turn < 10; turn++) {
    t.equal(ofFailing(), 1, `after ${turn} that got through`)
    const jobId = await desk.job([['callback_url', receiver.url]])
    await until('it is delivered', async () => await desk.callback(jobId) === 'delivered')
  }
  t.strictSame(table.get(['acme'])?.value, { waiting: 1, ofFailing: 0 })
})

t.test('messages of an earlier release are counted once', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver], {
    TABCAST_CALLBACKS_PER_TENANT: '1',
    TABCAST_CALLBACK_RETRY_SECONDS: '0,600'
  })
  receiver.answer = status(503)
  const first = await desk.job([['callback_url', receiver.url]])
  await until('its attempt is noted', async () => await desk.attempted(first) === 1)
  const table = desk.stage.metadata.table<{ waiting: number }>('callbackTotals')
  await desk.stage.metadata.transact((tx) => {
    for (const { key } of tx.range(table)) tx.delete(table, key)
  })
  t.equal(await desk.callback(await desk.job([['callback_url', receiver.url]])), 'failed')
  t.match(table.get(['acme'])?.value, { waiting: 1 }, 'the next one need not count them')
})

t.test('of what is not sent to an endpoint the newest stay, and those that somebody sends again', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const { endpoint_id: id } = await desk.endpoint(receiver)
  const jobId = await desk.job()
  await desk.becomes(id, 'delivered')
  const { metadata, jobs } = desk.stage
  // As the ledger of a tenant whose room is full.
  const ledger = new CallbackLedger({
    metadata,
    schedule: new RetrySchedule('TEST', '0'),
    endpoints: new EndpointLedger(metadata),
    maxWaiting: 0
  })
  const announce = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      await jobs.amend('acme', jobId, (record, tx) => ledger.announce(tx, record, 'job.delivered'))
    }
  }
  await announce(keptUnsent + 3)
  const kept = await desk.sent(id, '?limit=200')
  t.equal(kept.filter(({ attempts }) => attempts.length === 0).length, keptUnsent)
  t.match(await desk.json('GET', `/webhooks/endpoints/${id}`), { unsent_messages: keptUnsent + 3 })
  for (const name of ['callbackMessages', 'endpointMessages']) {
    t.equal(metadata.table(name).count(), keptUnsent + 1, `${name}: one was delivered before`)
  }

  const again = kept[5]?.webhook_id ?? ''
  t.equal((await desk.ask('POST', `/webhooks/endpoints/${id}/deliveries/${again}/redeliver`)).status, 202)
  const isSent = async () =>
    (await desk.sent(id, '?limit=200')).some((one) => one.webhook_id === again && one.status === 'delivered')
  await until('it is sent', isSent)
  await announce(keptUnsent)
  t.equal((await desk.sent(id, '?limit=200')).length, keptUnsent + 2)
  t.ok(await isSent())

  t.equal((await desk.ask('DELETE', `/webhooks/endpoints/${id}`)).status, 204)
  t.equal(metadata.table('endpointUnsent').count(), 0)
  t.equal((await desk.ask('DELETE', `/jobs/${jobId}`)).status, 204)
  t.equal(metadata.table('callbackMessages').count(), 0)
})

t.test('a redelivery to a host that too many messages wait for is refused until there is room', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = status(410)
  const desk = await open(t, [receiver], {
    TABCAST_CALLBACKS_PER_TENANT: '4',
    TABCAST_CALLBACK_RETRY_SECONDS: '0,600'
  })
  const { endpoint_id: id } = await desk.endpoint(receiver)
  await desk.job()
  await desk.becomes(id, 'failed')
  const [given] = await desk.sent(id) as [Sent]
  const again = `/webhooks/endpoints/${id}/deliveries/${given.webhook_id}/redeliver`
  receiver.answer = status(503)
  const waiting = await desk.job([['callback_url', receiver.url]])
  await until('its attempt is noted', async () => await desk.attempted(waiting) === 1)
  await desk.json('PATCH', `/webhooks/endpoints/${id}`, { enabled: true })
  await expectError(t, await desk.ask('POST', again), 409, 'validation_error')
  t.equal((await desk.ask('DELETE', `/jobs/${waiting}`)).status, 204)
  receiver.answer = status(204)
  t.equal((await desk.ask('POST', again)).status, 202)
  t.match(await desk.becomes(id, 'delivered'), { webhook_id: given.webhook_id })
})

t.test('what waits for an endpoint that is disabled ends at a price, though nothing is sent', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = status(503)
  const desk = await open(t, [receiver], { TABCAST_CALLBACK_RETRY_SECONDS: '0,6' })
  const { endpoint_id: id } = await desk.endpoint(receiver)
  for (let turn = 0; turn < 10; turn++) await desk.ask('POST', `/webhooks/endpoints/${id}/test`)
  await until('all were tried', async () => (await desk.sent(id)).every(({ attempts }) => attempts.length === 1))
  await desk.json('PATCH', `/webhooks/endpoints/${id}`, { enabled: false })
  const spent = async (): Promise<number> =>
    Number(/tabcast_sync_cpu_seconds_total\{work="api"\} (\S+)/.exec(await desk.stage.metrics.text())?.[1])
  const before = await spent()
  const waiting = desk.stage.metadata.table<{ waiting: number }>('callbackTotals')
  await until('nothing waits', () => waiting.get(['acme'])?.value.waiting === 0)
  t.ok(await spent() >= before + 10 * 0.0004, 'no request was made meanwhile')
  t.equal(receiver.deliveries.length, 10)
})

t.test('a repeat with the same Idempotency-Key makes one endpoint, and sends one test event', async (t) => {
  const receiver = await openReceiver(t)
  const desk = await open(t, [receiver])
  const headers = { 'idempotency-key': 'once' }
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => desk.ask('POST', '/webhooks/endpoints', { url: receiver.url }, headers))
  )
  t.equal(new Set(answers.map(({ text }) => text)).size, 1)
  const { endpoint_id: id } = JSON.parse(answers[0]?.text ?? '') as Endpoint
  for (let turn = 0; turn < 3; turn++) await desk.ask('POST', `/webhooks/endpoints/${id}/test`, undefined, headers)
  t.equal((await desk.sent(id)).length, 1)
})
