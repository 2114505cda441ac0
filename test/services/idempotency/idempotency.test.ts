import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { TabcastError } from '../../../src/platform/errors.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { addKey, dropOldKeys } from '../../../src/platform/vault/keyring.ts'
import { openVault } from '../../../src/platform/vault/open-vault.ts'
import { rewrapTable } from '../../../src/platform/vault/sealed-table.ts'
import { Idempotency, type Answer, type KeyedRequest } from '../../../src/services/idempotency/idempotency.ts'
import { sealedAnswers } from '../../../src/services/idempotency/sealed-answers.ts'
import { idempotencyTables } from '../../../src/services/idempotency/tables.ts'
import { openApi, type ApiStage } from '../../support/api.ts'
import { form } from '../../support/form.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'
const request: KeyedRequest = { tenant: 'acme', route: 'POST /things', key: 'k1', fingerprint: 'f1' }
const done: Answer = { status: 201, headers: { a: 'b' }, body: '{"secret":"canary-0815"}' }

async function open (t: Test, { waitMs = 5000, maxBytes = Infinity } = {}) {
  const folder = t.testdir({})
  const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: [...idempotencyTables, 'things'] })
  t.teardown(() => metadata.close())
  const keyring = join(folder, 'keyring.json')
  const vault = openVault(keyring)
  const clock = { nowMs: 1_000_000 }
  const idempotency = new Idempotency({
    metadata,
    vault,
    secret: Buffer.alloc(32, 1),
    keepMs: 60_000,
    waitMs,
    maxBytes,
    now: () => clock.nowMs
  })
  return { folder, keyring, vault, metadata, clock, idempotency }
}

t.test('the answer is saved with what it tells of, or not at all', async (t) => {
  const { idempotency, metadata } = await open(t)
  const things = metadata.table<number>('things')
  await t.rejects(idempotency.answer(request, async (save) => {
    await metadata.transact((tx) => {
      tx.put(things, ['one'], 1)
      save(tx, done)
      throw new Error('undone')
    })
    return done
  }), { message: 'undone' })
  t.equal(things.get(['one']), undefined)
  const first = await idempotency.answer(request, async (save) => {
    await metadata.transact((tx) => {
      tx.put(things, ['one'], 1)
      save(tx, done)
    })
    return done
  })
  t.strictSame(first, { answer: done, replayed: false })
  t.strictSame(await idempotency.answer(request, async () => {
    throw new Error('must not run')
  }), { answer: done, replayed: true })
})

t.test('a key belongs to its tenant and route, and to one request', async (t) => {
  const { idempotency } = await open(t)
  await idempotency.answer(request, async () => done)
  const other = { ...done, body: 'other' }
  for (const changed of [{ tenant: 'beta' }, { route: 'POST /others' }, { key: 'k2' }]) {
    t.match(await idempotency.answer({ ...request, ...changed }, async () => other), { answer: other, replayed: false })
  }
  await t.rejects(idempotency.answer({ ...request, fingerprint: 'f2' }, async () => other), {
    code: 'idempotency_conflict',
    reason: 'different_request',
    retryable: false
  })
})

t.test('equal requests at once wait for the first; when it fails the next one tries', async (t) => {
  const { idempotency } = await open(t)
  let runs = 0
  const flaky = async (): Promise<Answer> => {
    runs++
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (runs < 3) throw new Error(`refused ${runs}`)
    return done
  }
  const ends = await Promise.allSettled(Array.from({ length: 10 }, () => idempotency.answer(request, flaky)))
  t.equal(runs, 3)
  t.equal(ends.filter(({ status }) => status === 'rejected').length, 2, 'each failure is told to the one who met it')
  t.strictSame(ends.flatMap((end) => end.status === 'fulfilled' ? [end.value.replayed] : []).sort(), [false, true, true,
    true, true, true, true, true])
})

t.test('who waits too long is told to come again, another request at once', async (t) => {
  const { idempotency } = await open(t, { waitMs: 50 })
  let finish: () => void = () => undefined
  const first = idempotency.answer(request, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return done
  })
  await t.rejects(idempotency.answer({ ...request, fingerprint: 'f2' }, async () => done), {
    code: 'idempotency_conflict',
    reason: 'different_request'
  })
  await t.rejects(idempotency.answer(request, async () => done), {
    code: 'idempotency_conflict',
    reason: 'in_progress',
    retryable: true,
    retryAfterSeconds: 5
  })
  finish()
  t.match(await first, { replayed: false })
})

t.test('a crowd of equal requests waits for one answer, which is read once; who is too many comes again', async (t) => {
  const { idempotency } = await open(t)
  let finish: () => void = () => undefined
  const first = idempotency.answer(request, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return done
  })
  const others = Array.from({ length: 128 }, () =>
    idempotency.answer(request, async () => {
      throw new Error('must not run')
    }))
  await t.rejects(idempotency.answer(request, async () => done), {
    code: 'idempotency_conflict',
    reason: 'in_progress',
    retryable: true
  })
  finish()
  const { answer } = await first
  for (const { answer: same, replayed } of await Promise.all(others)) {
    t.ok(replayed)
    t.equal(same, answer, 'the very object')
  }
})

t.test('answers are kept for their time, sealed, and under the active key', async (t) => {
  const { idempotency, metadata, clock, folder, keyring, vault } = await open(t)
  await idempotency.answer(request, async () => done)
  const database = readFileSync(join(folder, 'metadata', 'data.mdb')).toString('latin1')
  t.notMatch(database, /canary-0815/)
  t.notMatch(database, /POST \/things.{0,20}k1/)
  addKey(keyring)
  vault.reload()
  t.equal(await rewrapTable(metadata, vault, sealedAnswers), 1)
  t.equal(await rewrapTable(metadata, vault, sealedAnswers), 0)
  dropOldKeys(keyring)
  vault.reload()
  t.match(await idempotency.answer(request, async () => done), { replayed: true })
  clock.nowMs += 60_001
  await idempotency.sweep()
  t.equal(metadata.table('idempotency').count(), 0)
  t.equal(metadata.table('idempotencyExpiry').count(), 0)
  t.match(await idempotency.answer({ ...request, fingerprint: 'f2' }, async () => done), { replayed: false })
})

async function submit (stage: ApiStage, key: string | undefined,
  { content = csv, fields = [] as Array<[string, string]>, filename = 'a.csv', token = stage.key } = {}) {
  const { headers, payload } = form([...fields, ['file', content, filename]])
  return await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload
  })
}

t.test('61: a hundred equal requests at once make one job and get one answer', async (t) => {
  const stage = await openApi(t)
  const answers = await Promise.all(Array.from({ length: 100 }, () => submit(stage, 'a-key')))
  t.strictSame([...new Set(answers.map(({ statusCode }) => statusCode))], [202])
  t.equal(new Set(answers.map(({ body }) => body)).size, 1)
  t.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 99)
  t.equal(new Set(answers.map(({ headers }) => headers['location'])).size, 1)
  t.equal(
    stage.jobs.list('acme', { statuses: [], jobType: null, createdAfterMs: null, limit: 200, before: null }).jobs
      .length,
    1
  )
})

t.test('61: the same key with another request is a conflict; a refusal leaves the key free', async (t) => {
  const stage = await openApi(t)
  t.equal((await submit(stage, 'k', { fields: [['prediction_length', '0']] })).statusCode, 422)
  const first = await submit(stage, 'k', { fields: [['prediction_length', '3']] })
  t.equal(first.statusCode, 202)
  const changes = [{ fields: [['prediction_length', '4']] as Array<[string, string]> }, {
    content: `${csv}b,2024-01-01,1\n`
  }, { fields: [['prediction_length', '3']] as Array<[string, string]>, filename: 'b.csv' }]
  for (const change of changes) {
    const answer = await submit(stage, 'k', change)
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), {
      error_code: 'idempotency_conflict',
      retryable: false,
      detail: { reason: 'different_request', suggestion: /new key/ }
    })
  }
  t.equal((await submit(stage, '"k"', { fields: [['prediction_length', '3']] })).body, first.body,
    'quotes do not matter')
  const { key: other } = await stage.keys.create({ tenant: 'beta' })
  const foreign = await submit(stage, 'k', { fields: [['prediction_length', '3']], token: other })
  t.equal(foreign.statusCode, 202)
  t.not(foreign.json().job_id, first.json().job_id)
  t.equal((await submit(stage, undefined)).headers['idempotent-replayed'], undefined)
  for (const bad of ['', 'x'.repeat(256), 'käse', 'a\tb']) {
    t.match((await submit(stage, bad)).json(), {
      error_code: 'validation_error',
      detail: [{ loc: ['header', 'Idempotency-Key'] }]
    }, JSON.stringify(bad))
  }
})

t.test('the first answer is replayed after the job has ended, and after it was deleted', async (t) => {
  const stage = await openApi(t)
  const first = await submit(stage, 'k')
  await stage.finishNext({ 'forecast.csv': 'x' })
  t.equal((await submit(stage, 'k')).body, first.body)
  t.ok(await stage.jobs.delete('acme', first.json().job_id))
  const replay = await submit(stage, 'k')
  t.equal(replay.body, first.body)
  t.equal(
    (await stage.app.inject({
      url: String(replay.headers['location']),
      headers: { authorization: `Bearer ${stage.key}` }
    })).statusCode,
    404
  )
})

t.test('the answers of a tenant have a bound: a further key is refused before anything is done, and no answer goes ' +
  'before its time', async (t) => {
  const { idempotency, metadata, clock } = await open(t, { maxBytes: 10_000 })
  const send = async (key: string, tenant = 'acme') =>
    await idempotency.answer({ ...request, tenant, key }, async () => ({ ...done, body: 'x'.repeat(1000) }))
  const refusal = async () => await send('one more').then(() => undefined, (error: unknown) => error as TabcastError)
  let kept = 0
  while (await idempotency.answer({ ...request, key: `k${kept}` }, async () => ({ ...done, body: 'x'.repeat(1000) }))
    .then(() => true, () => false)) {
    kept++
    clock.nowMs += 1000
  }
  t.ok(kept > 4 && kept <= 10, `${kept} answers of about 1.5 kB`)
  const refused = await refusal()
  t.match(refused, { code: 'rate_limited', reason: 'idempotency_bytes', retryable: true })
  let isDone = false
  await t.rejects(idempotency.answer({ ...request, key: 'another' }, async () => {
    isDone = true
    return done
  }), { code: 'rate_limited' })
  t.notOk(isDone)
  t.match(await send('k0'), { replayed: true }, 'what is kept is given again')
  t.match(await send('one', 'beta'), { replayed: false }, 'another tenant has its own')
  clock.nowMs += (refused?.retryAfterSeconds ?? 0) * 1000
  t.equal(await refusal(), undefined, 'after the time that it names')
  clock.nowMs += 60_000 * 2
  await idempotency.sweep()
  for (let at = 0; at < 3; at++) await send(`late${at}`)
  t.equal(metadata.table('idempotency').count(), 3)
  t.equal(metadata.table('idempotencyBytes').count({ prefix: ['acme'] }), 1, 'sums of the past go with the next answer')
})

t.test('POSTs with keys of their own fill no more than the bound, over HTTP', async (t) => {
  const stage = await openApi(t, { TABCAST_IDEMPOTENCY_MAX_BYTES: '20000' })
  const { key } = await stage.keys.create({ tenant: 'acme', scopes: ['webhooks'] })
  const rotate = async (idempotencyKey: string) =>
    await stage.app.inject({
      method: 'POST',
      url: '/webhooks/secret',
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey })
      }
    })
  const answers = []
  for (let at = 0; at < 60; at++) answers.push(await rotate(`k${at}`))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  t.ok(refused.length > 0 && refused.length < 50)
  t.match(refused.at(-1)?.json(), { error_code: 'rate_limited', detail: { reason: 'idempotency_bytes' } })
  const waitSeconds = Number(refused.at(-1)?.headers['retry-after'])
  t.ok(waitSeconds > 0 && waitSeconds <= 86_400 + 7200, `${waitSeconds} s`)
  t.equal((await rotate('')).statusCode, 200, 'without a key nothing is kept')
})
