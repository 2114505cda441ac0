import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { EventStream } from '../../src/api/events/event-stream.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { EventReader } from '../support/event-source.ts'
import { expectError } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { openReceiver, status } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const table = 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n'

/** The interface on a port, because a stream is read while it is written. */
async function open (t: Test, settings: Record<string, string> = {}) {
  const stage = await openApi(t, { TABCAST_EVENT_HEARTBEAT_MS: '100', ...settings })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const authorization = { authorization: `Bearer ${stage.key}` }
  const follow = async (jobId: string, headers: Record<string, string> = {}) =>
    await EventReader.open(`${baseUrl}/jobs/${jobId}/events`, { ...authorization, ...headers })
  return { stage, baseUrl, follow, submit: async (callbackUrl?: string) => await submit(stage, callbackUrl) }
}

async function submit (stage: ApiStage, callbackUrl?: string): Promise<string> {
  const fields: Array<[string, string]> = callbackUrl === undefined ? [] : [['callback_url', callbackUrl]]
  const { headers, payload } = form([...fields, ['file', csv, 'a.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${stage.key}` },
    payload
  })
  if (answer.statusCode !== 202) throw new Error(answer.payload)
  return (JSON.parse(answer.payload) as { job_id: string }).job_id
}

t.test('a stream tells of a job from its place in the queue to its end', async (t) => {
  const { stage, follow, submit } = await open(t)
  const jobId = await submit()
  const reader = await follow(jobId)
  t.match(reader.response.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no'
  })
  const first = await reader.next('state')
  t.match(first, { data: { job_id: jobId, status: 'pending' } })
  await until('a heartbeat', () => reader.heartbeats >= 2)

  const { message } = await stage.takeNext()
  const run = '01J00000000000000000000000'
  const { tenant, dispatch } = message
  await stage.worker.claim({ v: messageVersion, jobId, tenant, dispatch, workerId: 'w1', run }, 5000)
  const running = await reader.next('state', ({ status }) => status === 'running')
  t.ok(Number(running.id) > Number(first.id), 'ids grow')
  stage.worker.publishNews({ v: messageVersion, jobId, tenant, run, workerId: 'w1', stage: 'fit', fraction: 0.5 })
  t.match(await reader.next('progress', ({ fraction }) => fraction === 0.5), {
    id: null,
    data: { stage: 'fit', queue_position: null }
  })

  stage.worker.publishEvent({
    v: messageVersion,
    jobId,
    tenant,
    run,
    code: 'pipeline_failed',
    resultSha256: null,
    error: 'It went wrong.'
  }).catch(t.threw)
  const failed = await reader.next('state', ({ status }) => status === 'failed')
  t.match(failed.data, { error: 'It went wrong.', error_code: 'pipeline_failed' })
  await reader.untilEnded()
  t.equal(reader.response.complete, true, 'it ended, and was not cut off')

  const again = await follow(jobId, { 'last-event-id': String(running.id) })
  await again.untilEnded()
  t.strictSame(again.events, [failed], 'who comes again is told what has changed')
  t.equal((await follow(jobId, { 'last-event-id': String(failed.id) })).response.statusCode, 204,
    'and not to come any more when nothing can')
  const strange = await follow(jobId, { 'last-event-id': 'first' })
  await strange.untilEnded()
  t.strictSame(strange.events, [failed])
})

t.test('a stream stays until the callback of its job is over', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = (response, index, delivery) => status(index === 0 ? 500 : 204)(response, index, delivery)
  const { stage, follow, submit } = await open(t, {
    TABCAST_CALLBACK_ALLOW_HOSTS: receiver.host,
    TABCAST_CALLBACK_RETRY_SECONDS: '0,1'
  })
  const jobId = await submit(receiver.url)
  const reader = await follow(jobId)
  await stage.finishNext({ 'forecast.csv': table })
  await reader.next('state', ({ status }) => status === 'completed')
  t.match(await reader.next('delivery', (data) => data['callback_status'] === 'delivering'), {
    data: { job_id: jobId, delivery_status: null }
  })
  t.match(await reader.next('delivery', (data) => data['callback_status'] === 'delivered'), { id: Number })
  await reader.untilEnded()
  t.equal(reader.events.at(-1)?.data['callback_status'], 'delivered')
  // The announcement counts as over in the record before the sender has noted it.
  await until('the metrics',
    async () => /tabcast_callbacks_total\{outcome="delivered"\} 1\n/.test(await stage.metrics.text()))
  const metrics = await stage.metrics.text()
  for (const line of ['tabcast_callback_attempts_total{error="http_status"} 1',
    'tabcast_callback_attempts_total{error="none"} 1', 'tabcast_callbacks_pending 0']) {
    t.ok(metrics.includes(line), line)
  }
})

t.test('a deletion, another tenant, no key, a scope that lacks, too many streams, a service that stops', async (t) => {
  const { stage, baseUrl, follow, submit } = await open(t, { TABCAST_EVENT_STREAMS_PER_TENANT: '2' })
  const jobId = await submit()
  const reader = await follow(jobId)
  const second = await follow(jobId)
  const ask = async (id: string, key: string | null) => {
    const response = await fetch(`${baseUrl}/jobs/${id}/events`, {
      headers: key === null ? {} : { authorization: `Bearer ${key}` }
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const third = await ask(jobId, stage.key)
  await expectError(t, third, 429, 'rate_limited')
  t.equal(third.headers.get('retry-after'), '5')
  second.response.destroy()
  await until('the place of the reader that left', async () => {
    const reader = await follow(jobId)
    reader.response.destroy()
    return reader.response.statusCode === 200
  })
  const foreign = (await stage.keys.create({ tenant: 'other' })).key
  await expectError(t, await ask(jobId, foreign), 404, 'job_not_found')
  await expectError(t, await ask('job_nope', stage.key), 404, 'job_not_found')
  await expectError(t, await ask(jobId, null), 401, 'auth_failed')
  const narrow = (await stage.keys.create({ tenant: 'acme', scopes: ['forecast'] })).key
  await expectError(t, await ask(jobId, narrow), 403, 'auth_failed')

  t.equal(await stage.jobs.delete('acme', jobId), true)
  t.strictSame((await reader.next('deleted')).data, { job_id: jobId })
  await reader.untilEnded()
  t.equal(reader.response.complete, true)

  const last = await follow(await submit())
  await last.next('state')
  await stage.app.close()
  await last.untilEnded()
  t.equal(last.response.complete, true, 'a service that stops ends its streams')
})

t.test('a stream ends with its key: revoked, expired, or without the scope in the static map', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-events-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const staticKeys = join(folder, 'keys.json')
  await writeFile(staticKeys, JSON.stringify({ 'static-reader': { tenant: 'acme', scopes: ['jobs:read'] } }))
  const { stage, follow, submit } = await open(t, { TABCAST_STATIC_KEYS_FILE: staticKeys })
  const jobId = await submit()
  const revoked = await stage.keys.create({ tenant: 'acme', scopes: ['jobs:read'] })
  const brief = await stage.keys.create({ tenant: 'acme', scopes: ['jobs:read'], expiresAtMs: Date.now() + 1000 })
  const [kept, ...others] = await Promise.all(
    [stage.key, revoked.key, brief.key, 'static-reader'].map((key) => follow(jobId, { authorization: `Bearer ${key}` }))
  )
  for (const reader of others) await reader.next('state')
  t.equal(await stage.keys.revoke(revoked.summary.id), true)
  await writeFile(staticKeys, JSON.stringify({ 'static-reader': { tenant: 'acme', scopes: ['forecast'] } }))
  for (const reader of others) {
    await reader.untilEnded()
    t.equal(reader.response.complete, true)
  }
  t.equal((await follow(jobId, { authorization: `Bearer ${revoked.key}` })).response.statusCode, 401)
  t.equal(kept?.ended, false)
  kept?.response.destroy()
})

t.test('a stream that has ended is not cut off by a heartbeat that comes after its last event', async (t) => {
  const stream = new EventStream()
  const told = text(stream.readable)
  stream.send('the last event\n\n')
  await new Promise(setImmediate)
  stream.end()
  stream.beat()
  stream.end()
  t.equal(await told, 'the last event\n\n')
})

t.test('a reader that does not read is cut off', async (t) => {
  const stalled = (stream: EventStream) =>
    stream.readable.pipe(new Writable({ highWaterMark: 1, write: () => undefined }))
  const behind = new EventStream()
  stalled(behind)
  behind.send('x'.repeat(100))
  await new Promise(setImmediate)
  behind.send('y')
  behind.beat()
  t.equal(behind.isBehind, true)
  t.equal(behind.readable.destroyed, false, 'it may be slow once')
  behind.beat()
  t.equal(behind.readable.destroyed, true)

  const full = new EventStream(1000)
  full.send('x'.repeat(999))
  t.equal(full.readable.destroyed, false)
  full.send('xx')
  t.equal(full.readable.destroyed, true, 'nor may more wait than fits')
})
