import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pino } from 'pino'
import { recordTables } from '../../src/commands/record-tables.ts'
import { messageVersion } from '../../src/domain/message-version.ts'
import { openMetadata } from '../../src/platform/metadata/open-metadata.ts'
import { jobBytes, jobQuotas } from '../../src/services/jobs/job-quotas.ts'
import { objectBytes } from '../../src/services/objects/object-record.ts'
import { QuotaLedger } from '../../src/services/quotas/quota-ledger.ts'
import { readQuotaRules } from '../../src/services/quotas/quota-rules.ts'
import { Quotas } from '../../src/services/quotas/quotas.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, type Answer } from '../support/expect-error.ts'
import { form } from '../support/form.ts'
import { filesIn } from '../support/leftovers.ts'
import { openRaw, requestHead, type RawConnection } from '../support/raw-http.ts'
import { send, StorageCaller, type Upload } from '../support/storage.ts'
import { until } from '../support/until.ts'

const holders = [jobBytes, objectBytes]
const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'

async function quotaFile (t: Test, rules: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-quotas-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'quotas.json')
  await writeFile(path, JSON.stringify(rules))
  return path
}

async function upload (stage: ApiStage,
  { content = csv, key = stage.key, path = '/forecast', headers: more = {} as Record<string, string> } = {}
): Promise<Answer> {
  const { headers, payload } = form([['file', content, 'a.csv']])
  const answer = await stage.app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, ...more, authorization: `Bearer ${key}` },
    payload
  })
  return {
    status: answer.statusCode,
    headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text: answer.payload
  }
}

type Quota = Record<'jobs_per_day' | 'rows_per_day' | 'stored_bytes',
  { limit: number | null, used: number, resets_at: string | null }>
const used = async (stage: ApiStage, key = stage.key): Promise<Quota> =>
  (await stage.app.inject({ url: '/limits', headers: { authorization: `Bearer ${key}` } })).json().quotas as Quota

t.test('jobs a day: counted once each, refused before the upload is read, by tenant', async (t) => {
  const path = await quotaFile(t, { default: { jobs_per_day: 3 }, tenants: { free: { jobs_per_day: null } } })
  const stage = await openApi(t, { TABCAST_QUOTAS_FILE: path })
  const caller = new StorageCaller(stage)
  const object = await caller.store(csv)
  const repeated = { headers: { 'idempotency-key': 'same' } }
  const first = await upload(stage, repeated)
  t.equal(first.status, 202, first.text)
  t.equal((await upload(stage, repeated)).text, first.text)
  t.equal((await used(stage)).jobs_per_day.used, 1, 'a replay is no job')
  stage.checkReply = {
    v: messageVersion,
    ok: false,
    error: { code: 'empty', message: 'There is nothing in it.' }
  } as never
  t.equal((await upload(stage)).status >= 400, true)
  t.equal((await used(stage)).jobs_per_day.used, 1, 'what was refused is none either')
  stage.checkReply = {
    v: messageVersion,
    ok: true,
    profile: { rows: 6, series: 2, minLength: 3, maxLength: 3, freq: 'MS' },
    warnings: []
  }

  const three = { requests: [{ object_id: object }, { object_id: object }, { object_id: object }] }
  const batch = await expectError(t, await caller.ask('POST', '/forecast/batch', three), 429, 'rate_limited')
  t.match(batch.detail, {
    reason: 'quota_jobs_per_day',
    quota: { name: 'jobs_per_day', limit: 3, used: 1, resets_at: /T00:00:00.000Z$/ }
  })
  t.equal((await used(stage)).jobs_per_day.used, 1, 'all of a batch or none')
  for (let call = 0; call < 2; call++) t.equal((await upload(stage)).status, 202)

  const before = await filesIn(join(stage.folder, 'objects'))
  const refused = await upload(stage)
  t.match((await expectError(t, refused, 429, 'rate_limited')).detail, {
    quota: { used: 3, limit: 3 },
    suggestion: /day/
  })
  t.ok(Number(refused.headers.get('retry-after')) <= 86_400)
  t.strictSame(await filesIn(join(stage.folder, 'objects')), before)
  await expectError(t, await caller.ask('POST', '/forecast/storage-object', { object_id: object }), 429, 'rate_limited')
  for (const route of ['extract', 'analyze', 'forecast']) {
    const { status } = await upload(stage, { path: `/agent/${route}` })
    t.equal(status === 429, route === 'forecast',
      `/agent/${route}: only what makes a job is counted against a quota of jobs`)
  }
  t.equal((await caller.ask('DELETE', `/jobs/${(JSON.parse(first.text) as { job_id: string }).job_id}`)).status, 204)
  t.equal((await used(stage)).jobs_per_day.used, 3, 'deleting a job gives no other one')

  const other = (await stage.keys.create({ tenant: 'beta' })).key
  t.equal((await upload(stage, { key: other })).status, 202, 'another tenant has its own')
  const free = (await stage.keys.create({ tenant: 'free' })).key
  for (let call = 0; call < 5; call++) t.equal((await upload(stage, { key: free })).status, 202)
  t.match(await used(stage, free), { jobs_per_day: { limit: null, used: 5 } })

  await writeFile(path, '{ "default": ')
  await until('the broken file is reported', () => stage.logged.some((line) => line.includes('stay in force')))
  await expectError(t, await upload(stage), 429, 'rate_limited')
  await writeFile(path, JSON.stringify({ default: { jobs_per_day: 4 } }))
  await until('the new file is in force', async () => (await used(stage)).jobs_per_day.limit === 4)
  t.equal((await upload(stage)).status, 202)
})

t.test('what was there before quotas were set counts, and what went meanwhile does not', async (t) => {
  const stage = await openApi(t)
  for (let call = 0; call < 2; call++) t.equal((await upload(stage)).status, 202)
  await new StorageCaller(stage).store('y'.repeat(3000))
  const ledger = new QuotaLedger(stage.metadata, holders)
  await stage.metadata.transact((tx) => {
    ledger.hold(tx, 'acme', 'job_that_is_gone', 77)
  })
  const quotas = new Quotas({
    path: await quotaFile(t, { default: { stored_bytes: 5000 } }),
    metadata: stage.metadata,
    holders,
    log: pino({ level: 'silent' })
  })
  t.teardown(() => quotas.close())
  await until('all of it is counted',
    () => quotas.states('acme').find(({ name }) => name === 'stored_bytes')?.used === 2 * csv.length + 3000)
})

t.test('rows a day and stored bytes: counted with the job, given back with what is deleted, kept over a restart', async (t) => {
  const path = await quotaFile(t, { default: { rows_per_day: 20, stored_bytes: 5000 } })
  const stage = await openApi(t, { TABCAST_QUOTAS_FILE: path, TABCAST_SWEEP_MS: '100' })
  const caller = new StorageCaller(stage)
  const jobs: string[] = []
  for (let call = 0; call < 3; call++) jobs.push((JSON.parse((await upload(stage)).text) as { job_id: string }).job_id)
  t.match(await used(stage), {
    rows_per_day: { used: 18, limit: 20 },
    stored_bytes: { used: 3 * csv.length, limit: 5000, resets_at: null }
  })
  const leftBefore = await filesIn(join(stage.folder, 'objects'))
  const { detail } = await expectError(t, await upload(stage), 429, 'rate_limited')
  t.match(detail, { reason: 'quota_rows_per_day', quota: { limit: 20 } })
  t.equal((await used(stage)).rows_per_day.used, 18, 'the transaction was undone')
  await until('the refused upload is gone',
    async () => (await filesIn(join(stage.folder, 'objects'))).length === leftBefore.length)

  await stage.finishNext({ 'forecast.csv': 'x'.repeat(100) })
  await until('the result counts', async () => (await used(stage)).stored_bytes.used === 3 * csv.length + 100)
  for (const job of jobs) t.equal((await caller.ask('DELETE', `/jobs/${job}`)).status, 204)
  t.equal((await used(stage)).stored_bytes.used, 0)

  const object = await caller.store('y'.repeat(3000))
  t.equal((await used(stage)).stored_bytes.used, 3000)
  await caller.presign({ file_size: 1500 })
  t.equal((await used(stage)).stored_bytes.used, 4500, 'what is announced counts')
  t.match(
    (await expectError(t, await caller.ask('POST', '/storage/uploads/presign', {
      filename: 'a.csv',
      content_type: 'text/csv',
      file_size: 501
    }), 429, 'rate_limited')).detail,
    { reason: 'quota_stored_bytes', suggestion: /Delete/ }
  )
  t.match((await expectError(t, await upload(stage, { content: 'z'.repeat(600) }), 429, 'rate_limited')).detail, {
    quota: { name: 'stored_bytes', used: 4500 }
  })
  const again = new Quotas({ path, metadata: stage.metadata, holders, log: pino({ level: 'silent' }) })
  await until('a start counts the same',
    () => again.states('acme').find(({ name }) => name === 'stored_bytes')?.used === 4500)
  t.match(again.states('acme'), [{}, { used: 18 }, {}], 'and knows what the day had')
  again.close()
  t.equal((await caller.ask('DELETE', `/storage/objects/${object}`)).status, 204)
  t.equal((await used(stage)).stored_bytes.used, 1500)
})

t.test('stored bytes of uploads to signed addresses: at most the quota, however they are asked for and completed', async (t) => {
  const path = await quotaFile(t, { default: { stored_bytes: 1000 } })
  const stage = await openApi(t, { TABCAST_QUOTAS_FILE: path, TABCAST_SWEEP_MS: '100' })
  const storedBytes = async () => (await used(stage)).stored_bytes.used
  const caller = new StorageCaller(stage)
  const announced = await Promise.all(
    Array.from({ length: 20 },
      () =>
        caller.ask('POST', '/storage/uploads/presign', { filename: 'a.csv', content_type: 'text/csv', file_size: 300 }))
  )
  t.equal(announced.filter(({ status }) => status === 200).length, 3, 'of many at once as many as there is room for')
  for (const { text, status } of announced) {
    if (status === 200) {
      await caller.ask('DELETE', `/storage/objects/${(JSON.parse(text) as { object_id: string }).object_id}`)
    }
  }
  t.equal(await storedBytes(), 0)

  const unsized = await Promise.all([1, 2, 3].map(() => caller.presign()))
  const [first, second, third] = unsized as [Upload, Upload, Upload]
  const tooLarge = await send(stage, first, 'x'.repeat(1001))
  t.match((await expectError(t, tooLarge, 429, 'rate_limited')).detail, {
    quota: { name: 'stored_bytes', limit: 1000, used: 0 }
  })
  const sent = await Promise.all([first, second].map((upload) => send(stage, upload, 'x'.repeat(600))))
  t.strictSame(sent.map(({ status }) => status).sort(), [200, 429], 'of two that come together one')
  t.equal(await storedBytes(), 600, 'it counts before it is completed')
  await expectError(t, await send(stage, third, 'x'.repeat(401)), 429, 'rate_limited')
  await until('what was refused is gone', async () => (await filesIn(join(stage.folder, 'objects'))).length === 1)
  const object = (sent[0]?.status === 200 ? first : second).object_id
  t.match(JSON.parse((await caller.complete(object, { verify_object: false })).text), {
    status: 'uploaded',
    file_size: 600
  })
  t.equal(await storedBytes(), 600)
  await expectError(t, await caller.complete(third.object_id, { verify_object: false }), 409, 'object_not_ready')
  t.equal((await caller.ask('DELETE', `/storage/objects/${object}`)).status, 204)
  t.equal(await storedBytes(), 0)
  t.equal((await send(stage, third, 'x'.repeat(1000))).status, 200, 'a refused one may come when there is room')
})

/** A chunked upload to a signed address, which says nothing of its size. */
async function openChunked (t: Test, baseUrl: string,
  upload: Upload): Promise<RawConnection & { chunk(bytes: number): void }> {
  const { pathname, search } = new URL(upload.upload_url)
  const connection = await openRaw(baseUrl)
  t.teardown(() => {
    connection.socket.destroy()
  })
  connection.send(requestHead('PUT', pathname + search, { ...upload.required_headers, 'transfer-encoding': 'chunked' }))
  return { ...connection, chunk: (bytes) => connection.send(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`) }
}

/** Bytes of uploads under way; asked with one that never has room beside them. */
async function arriving (stage: ApiStage, upload: Upload): Promise<number> {
  const { status, text } = await send(stage, upload, 'x'.repeat(300_000))
  return status === 429 ? (JSON.parse(text) as { detail: { quota: { used: number } } }).detail.quota.used : -1
}

t.test('bytes under way count: chunked uploads to signed addresses have what is left of the quota, together', async (t) => {
  const stage = await openApi(t, { TABCAST_QUOTAS_FILE: await quotaFile(t, { default: { stored_bytes: 300_000 } }) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new StorageCaller(stage)
  const spooled = async () => (await filesIn(join(stage.folder, 'spool'))).length
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => caller.presign())) as [Upload, Upload, Upload]
  const one = await openChunked(t, baseUrl, first)
  one.chunk(200_000)
  await until('it is spooled', async () => await spooled() === 1)
  await until('its bytes count', async () => await arriving(stage, second) === 200_000)
  await expectError(t, await send(stage, second, 'x'.repeat(150_000)), 429, 'rate_limited')
  t.match((await expectError(t, await upload(stage, { content: 'z'.repeat(150_000) }), 429, 'rate_limited')).detail, {
    reason: 'quota_stored_bytes',
    quota: { used: 200_000 }
  }, 'forms too')

  const other = await openChunked(t, baseUrl, second)
  other.chunk(50_000)
  other.chunk(80_000)
  t.match((await expectError(t, await other.answer(), 429, 'rate_limited')).detail, { reason: 'quota_stored_bytes' },
    'what nobody announced is cut where it is too much')
  await until('and is gone', async () => await spooled() === 1)

  one.send('0\r\n\r\n')
  t.equal((await one.answer()).status, 200)
  t.equal((await used(stage)).stored_bytes.used, 200_000)
  t.equal((await send(stage, third, 'x'.repeat(100_000))).status, 200, 'nothing counts twice')
})

t.test('bytes of an upload that was cut off are free again', async (t) => {
  const stage = await openApi(t, { TABCAST_QUOTAS_FILE: await quotaFile(t, { default: { stored_bytes: 300_000 } }) })
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new StorageCaller(stage)
  const [upload, other] = await Promise.all([caller.presign(), caller.presign()])
  const cut = await openChunked(t, baseUrl, upload)
  cut.chunk(250_000)
  await until('it is under way', async () => (await filesIn(join(stage.folder, 'spool'))).length === 1)
  await until('its bytes count', async () => await arriving(stage, other) === 250_000)
  cut.socket.destroy()
  await until('the whole quota is there', async () => (await send(stage, upload, 'x'.repeat(300_000))).status === 200)
})

t.test('one upload at a time has a signed address', async (t) => {
  const stage = await openApi(t)
  const baseUrl = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const upload = await new StorageCaller(stage).presign()
  const first = await openChunked(t, baseUrl, upload)
  first.chunk(1000)
  await until('it is under way', async () => (await filesIn(join(stage.folder, 'spool'))).length === 1)
  const refused = await expectError(t, await send(stage, upload, 'y'.repeat(500)), 409, 'object_not_ready')
  t.equal(refused.retryable, true)
  first.send('0\r\n\r\n')
  t.equal((await first.answer()).status, 200)
  await expectError(t, await send(stage, upload, 'y'.repeat(500)), 412, 'validation_error')
})

t.test('without a file there are none', async (t) => {
  const stage = await openApi(t)
  t.equal(await used(stage), null)
})

t.test('a day ends at midnight, UTC', async (t) => {
  const path = await quotaFile(t, { default: { jobs_per_day: 1 } })
  const metadata = await openMetadata({ path: join(t.testdir({}), 'metadata'), tables: recordTables })
  t.teardown(() => metadata.close())
  let nowMs = Date.UTC(2026, 10, 23, 23, 59, 59)
  const quotas = new Quotas({ path, metadata, holders, log: pino({ level: 'silent' }), now: () => nowMs })
  t.teardown(() => quotas.close())
  const job = { tenant: 'acme', jobId: 'job_1', profile: { rows: 5 }, input: { connectionId: 'c' }, files: [] } as never
  const take = () => metadata.transact((tx) => jobQuotas(quotas).created?.(tx, job))
  await take()
  t.match(quotas.states('acme'), [{ used: 1, resetsAtMs: Date.UTC(2026, 10, 24) }, { used: 5 }, {}])
  await t.rejects(take(), { code: 'rate_limited', status: 429 })
  t.throws(() => quotas.check('acme', { jobs: 1, bytes: 0 }), { code: 'rate_limited' })
  t.match(quotas.states('acme'), [{ used: 1 }, { used: 5 }, {}], 'the transaction was undone')
  nowMs += 1000
  t.match(quotas.states('acme'), [{ used: 0 }, { used: 0 }, {}])
  await take()
})

t.test('a file that is no quotas is refused with its place', async (t) => {
  for (const [rules, message] of [
    [[], /the file/],
    [{ defaults: {} }, /quotas are/],
    [{ default: { jobs: 1 } }, /\/default/],
    [{ default: { jobs_per_day: -1 } }, /\/default\/jobs_per_day/],
    [{ default: { rows_per_day: 1.5 } }, /rows_per_day/],
    [{ tenants: { 'No Tenant': {} } }, /"No Tenant"/]
  ] as const) {
    const path = await quotaFile(t, rules)
    t.throws(() => readQuotaRules(path), { name: 'ConfigError', message }, JSON.stringify(rules))
    t.throws(() => readQuotaRules(path), /TABCAST_QUOTAS_FILE=/)
  }
  t.throws(() => readQuotaRules('/nonexistent'), { name: 'ConfigError', message: /ENOENT/ })
})
