import t, { type Test } from 'tap'
import { scopes } from '../../src/services/keys/scopes.ts'
import { maxEndedKeysPerTenant, maxKeysPerTenant } from '../../src/services/keys/tenant-keys.ts'
import { openApi } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'

/*
 * Keys as a tenant makes them for itself: never another tenant's, never the deployment's, never more than the key
 * that asks.
 */

interface ApiKey {
  id: string
  tenant: string | null
  scopes: string[]
  name: string | null
  source: string
  key: string
}
type Method = 'GET' | 'POST' | 'DELETE'

async function open (t: Test) {
  const stage = await openApi(t)
  const keyOf = async (tenant: string, ...scopes: string[]) => (await stage.keys.create({ tenant, scopes })).key
  const ask = async (key: string, method: Method, url: string, payload?: object,
    headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload === undefined ? {} : { payload })
    })
    return {
      status: answer.statusCode,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      text: answer.payload
    }
  }
  const make = async (key: string, body: object): Promise<ApiKey> => {
    const { status, text, headers } = await ask(key, 'POST', '/keys', body)
    t.equal(status, 201, text)
    const made = JSON.parse(text) as ApiKey
    t.equal(headers.get('location'), `/keys/${made.id}`)
    return made
  }
  return { stage, keyOf, ask, make }
}

const idOf = (key: string) => key.split('_')[2] ?? ''

t.test("a key of one tenant with the scope admin is no way to another tenant's webhook secret, and webhooks is " +
  "enough for one's own", async (t) => {
  const { keyOf, ask } = await open(t)
  const secretFor = async (key: string) =>
    (JSON.parse((await ask(key, 'GET', '/webhooks/secret')).text) as { secret: string }).secret
  const [admin, own, foreign] = [await keyOf('acme', 'admin'), await keyOf('acme', 'webhooks'),
    await keyOf('beta', 'webhooks')]
  t.equal(await secretFor(own), await secretFor(admin), 'a key that was made for it before still has it')
  t.not(await secretFor(foreign), await secretFor(own))
  await expectError(t, await ask(own, 'GET', '/admin/keys'), 403, 'auth_failed')
  await expectError(t, await ask(await keyOf('acme', 'keys:write'), 'GET', '/webhooks/secret'), 403, 'auth_failed')
  await expectError(t, await ask(await keyOf('acme', 'keys:write'), 'POST', '/admin/keys', { tenant: 'acme' }), 403,
    'auth_failed')
})

t.test('a key with keys:write makes, lists, rotates and revokes the keys of its tenant', async (t) => {
  const { stage, keyOf, ask, make } = await open(t)
  const chief = await keyOf('acme', 'keys:write', 'jobs:read', 'forecast')
  const made = await make(chief, { name: 'reports', expires: '90d' })
  t.match(made, { tenant: 'acme', name: 'reports', source: 'issued' })
  t.strictSame(made.scopes, ['forecast', 'jobs:read'], 'of what a key gets by default, what the one that asks has')
  t.equal((await ask(made.key, 'GET', '/jobs')).status, 200)
  const helper = await make(chief, { scopes: ['keys:write'] })
  t.strictSame((await make(helper.key, { scopes: ['keys:write'] })).scopes, ['keys:write'])

  const { keys } = JSON.parse((await ask(chief, 'GET', '/keys')).text) as { keys: ApiKey[] }
  t.ok(keys.some(({ id }) => id === made.id))
  t.ok(keys.every(({ tenant }) => tenant === 'acme'))
  t.notMatch(JSON.stringify(keys), made.key.split('_')[3] ?? '')
  const paged: ApiKey[] = []
  for (let next: string | null = ''; next !== null;) {
    const page: { keys: ApiKey[], next_cursor: string | null } = JSON.parse(
      (await ask(chief, 'GET', `/keys?limit=2${next === '' ? '' : `&cursor=${next}`}`)).text
    ) as never
    paged.push(...page.keys)
    next = page.next_cursor
  }
  t.strictSame(paged, keys)

  const rotated = JSON.parse((await ask(chief, 'POST', `/keys/${made.id}/rotate`, { overlap: '1h' })).text) as ApiKey
  t.equal((await ask(rotated.key, 'GET', '/jobs')).status, 200)
  t.equal((await ask(chief, 'DELETE', `/keys/${made.id}`)).status, 204)
  for (const key of [made.key, rotated.key]) t.equal((await ask(key, 'GET', '/jobs')).status, 401)
  await expectError(t, await ask(chief, 'GET', `/keys/${made.id}`), 404, 'not_found')
  t.match(stage.logged.filter((line) => line.includes('"audit"')).map((line) => JSON.parse(line) as object).at(-1), {
    audit: 'key_revoked',
    keyId: made.id,
    by: idOf(chief)
  })
  t.equal((await ask(chief, 'DELETE', `/keys/${idOf(chief)}`)).status, 204, 'also the key that asks')
  t.equal((await ask(chief, 'GET', '/keys')).status, 401)
})

t.test('no key hands on a scope that it lacks, by making a key or by rotating one', async (t) => {
  const { stage, keyOf, ask } = await open(t)
  const chief = await keyOf('acme', 'keys:write', 'jobs:read')
  const before = stage.keys.list().length
  for (const scope of scopes) {
    if (scope === 'keys:write' || scope === 'jobs:read') continue
    await expectError(t, await ask(chief, 'POST', '/keys', { scopes: ['jobs:read', scope] }), 403, 'auth_failed')
  }
  t.equal(stage.keys.list().length, before)
  const greater = await keyOf('acme', 'jobs:read', 'storage')
  await expectError(t, await ask(chief, 'POST', `/keys/${idOf(greater)}/rotate`, {}), 403, 'auth_failed')
  t.equal(stage.keys.list().find(({ id }) => id === idOf(greater))?.rotatedAtMs, null)
  t.equal((await ask(chief, 'DELETE', `/keys/${idOf(greater)}`)).status, 204, 'but takes away what it likes')
  const only = await keyOf('acme', 'keys:write')
  t.match(fieldsOf(await expectError(t, await ask(only, 'POST', '/keys', {}), 422, 'validation_error')), [{
    loc: ['body', 'scopes']
  }], 'it has none of the default scopes to hand on')
})

t.test('no key with the scope admin comes to be, or changes hands, over HTTP', async (t) => {
  const { stage, keyOf, ask } = await open(t)
  const admin = await keyOf('operator', 'admin', 'keys:write')
  const other = await keyOf('operator', 'admin')
  const before = stage.keys.list()
  for (const [path, body] of [['/admin/keys', { tenant: 'beta', scopes: ['admin'] }], ['/admin/keys', {
    tenant: 'operator',
    scopes: ['forecast', 'admin']
  }], ['/keys', { scopes: ['admin'] }]] as const) {
    const { detail } = await expectError(t, await ask(admin, 'POST', path, body), 403, 'auth_failed')
    t.match(detail, { suggestion: /tabcast keys create/ })
  }
  for (const path of ['/admin/keys', '/keys']) {
    for (const key of [admin, other]) {
      await expectError(t, await ask(admin, 'POST', `${path}/${idOf(key)}/rotate`, {}), 403, 'auth_failed')
    }
  }
  t.strictSame(stage.keys.list().map(({ id, rotatedAtMs }) => [id, rotatedAtMs]),
    before.map(({ id, rotatedAtMs }) => [id, rotatedAtMs]))
  await expectError(t, await ask(await keyOf('operator', 'keys:write'), 'DELETE', `/keys/${idOf(other)}`), 403,
    'auth_failed')
  t.equal((await ask(admin, 'DELETE', `/admin/keys/${idOf(other)}`)).status, 204, 'an administrator takes it away')
})

t.test('an Idempotency-Key gives a secret again only to the key that asked for it', async (t) => {
  const { keyOf, ask } = await open(t)
  const headers = { 'idempotency-key': 'the-same' }
  const [strong, weak] = [await keyOf('acme', 'keys:write', 'storage'), await keyOf('acme', 'keys:write')]
  const first = JSON.parse((await ask(strong, 'POST', '/keys', { scopes: ['storage'] }, headers)).text) as ApiKey
  t.equal((JSON.parse((await ask(strong, 'POST', '/keys', { scopes: ['storage'] }, headers)).text) as ApiKey).key,
    first.key)
  await expectError(t, await ask(weak, 'POST', '/keys', { scopes: ['storage'] }, headers), 403, 'auth_failed')
  await ask(strong, 'POST', `/keys/${first.id}/rotate`, {}, headers)
  await expectError(t, await ask(weak, 'POST', `/keys/${first.id}/rotate`, {}, headers), 403, 'auth_failed')
})

t.test("what is wrong with a tenant's key is said of its field, and a key without a tenant has none of this", async (t) => {
  const { stage, keyOf, ask } = await open(t)
  const chief = await keyOf('acme', 'keys:write', 'jobs:read')
  const before = stage.keys.list().length
  for (const [body, field] of [
    [{ tenant: 'beta' }, 'tenant'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes'],
    [{ scopes: 'jobs:read' }, 'scopes'],
    [{ expires: 'soon' }, 'expires'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name']
  ] as const) {
    t.strictSame(
      fieldsOf(await expectError(t, await ask(chief, 'POST', '/keys', body), 422, 'validation_error'))[0]?.loc.slice(0,
        2),
      ['body', field],
      JSON.stringify(body)
    )
  }
  t.equal(stage.keys.list().length, before)
  t.match(fieldsOf(await expectError(t, await ask(chief, 'GET', '/keys?cursor=abc'), 422, 'validation_error')), [{
    loc: ['query', 'cursor']
  }])
  await expectError(t, await ask((await stage.keys.create({ scopes: ['sandbox'] })).key, 'GET', '/keys'), 403,
    'auth_failed')
  await expectError(t, await ask(chief, 'DELETE', '/keys/nosuchid'), 404, 'not_found')
})

t.test('a tenant has so many keys at a time, and the keys of another one cost it nothing', async (t) => {
  const { stage, keyOf, ask } = await open(t)
  const chief = await keyOf('full', 'keys:write', 'jobs:read')
  const other = await keyOf('beta', 'keys:write')
  const answers = await Promise.all(
    Array.from({ length: maxKeysPerTenant + 20 }, () => ask(chief, 'POST', '/keys', { scopes: ['jobs:read'] }))
  )
  t.equal(answers.filter(({ status }) => status === 201).length, maxKeysPerTenant - 1,
    'also of those that are asked for at once')
  await expectError(t, await ask(chief, 'POST', '/keys', { scopes: ['jobs:read'] }), 422, 'validation_error')
  t.match(JSON.parse((await ask(chief, 'GET', '/limits')).text), { max_keys_per_tenant: maxKeysPerTenant })
  const walks = stage.keys.list
  stage.keys.list = () => {
    throw new Error('a request of a tenant walks through the keys of all')
  }
  t.teardown(() => {
    stage.keys.list = walks
  })
  const [{ id } = { id: '' }] = (JSON.parse((await ask(other, 'GET', '/keys')).text) as { keys: ApiKey[] }).keys
  t.equal(id, idOf(other))
  t.equal((await ask(other, 'GET', `/keys/${id}`)).status, 200)
  for (const absent of ['zzzzzzzz', 'z', 'R%12%0C', '%C3%98%04%F3%A4%8A%AD']) {
    await expectError(t, await ask(other, 'GET', `/keys/${absent}`), 404, 'not_found')
  }
  const first = JSON.parse(answers.find(({ status }) => status === 201)?.text ?? '') as ApiKey
  t.equal((await ask(chief, 'DELETE', `/keys/${first.id}`)).status, 204)
  t.equal((await ask(chief, 'POST', '/keys', { scopes: ['jobs:read'] })).status, 201, 'a revoked key makes room')
})

t.test('a key that ends hands on no longer life than its own', async (t) => {
  const { stage, ask, make } = await open(t)
  const { key: brief } = await stage.keys.create({
    tenant: 'acme',
    scopes: ['keys:write', 'jobs:read'],
    expiresAtMs: Date.now() + 3_600_000
  })
  const { id: lasting } = (await stage.keys.create({ tenant: 'acme', scopes: ['jobs:read'] })).summary
  const made = await make(brief, { scopes: ['jobs:read'] })
  t.equal(stage.keys.find(made.id)?.expiresAtMs, stage.keys.find(idOf(brief))?.expiresAtMs)
  t.match(await make(brief, { scopes: ['jobs:read'], expires: '30m' }), { tenant: 'acme' })
  const { detail } = await expectError(t, await ask(brief, 'POST', '/keys', { scopes: ['jobs:read'], expires: '2h' }),
    403, 'auth_failed')
  t.match(detail, { suggestion: /ends no later than/ })
  await expectError(t, await ask(brief, 'POST', `/keys/${lasting}/rotate`, {}), 403, 'auth_failed')
  t.equal((await ask(brief, 'POST', `/keys/${made.id}/rotate`, {})).status, 200)
})

t.test('who replaces a stolen key does not wait for what it writes', async (t) => {
  const { stage, keyOf, ask, make } = await open(t)
  const chief = await keyOf('acme', 'keys:write', 'forecast')
  const [stolen, other] = [await make(chief, {}), await make(chief, {})]
  let written = 0
  // As its requests write: in the lane of their tenant.
  const flood = Promise.all(Array.from({ length: 400 }, () =>
    stage.metadata.transact(() => {
      for (const startMs = performance.now(); performance.now() < startMs + 2;);
      written++
    }, 'acme')))
  t.equal((await ask(chief, 'POST', `/keys/${stolen.id}/rotate`, {})).status, 200)
  t.equal((await ask(chief, 'POST', '/keys', {})).status, 201)
  t.equal((await ask(chief, 'DELETE', `/keys/${other.id}`)).status, 204)
  t.ok(written < 400, `${written} of 400 were written meanwhile`)
  await flood
  t.equal(written, 400)
})

t.test('making and revoking keys in a loop leaves a bounded record, no way in, and who did it in the audit log', async (t) => {
  const { stage, keyOf, ask, make } = await open(t)
  const chief = await keyOf('acme', 'keys:write', 'jobs:read', 'audit:read')
  const first = await make(chief, {})
  const refusal = async () =>
    (({ status, text }: Answer) => ({ status, text: text.replace(/req_\w+/g, '') }))(
      await ask(first.key, 'GET', '/jobs')
    )
  t.equal((await ask(chief, 'DELETE', `/keys/${first.id}`)).status, 204)
  const before = await refusal()
  t.equal(before.status, 401)
  for (let round = 0; round < maxEndedKeysPerTenant / 50; round++) {
    const issued = await Promise.all(Array.from({ length: 50 }, () => stage.keys.create({ tenant: 'acme' })))
    await Promise.all(issued.map(({ summary }) => stage.keys.revoke(summary.id)))
  }
  const last = await make(chief, {})
  t.equal((await ask(chief, 'DELETE', `/keys/${last.id}`)).status, 204)
  t.equal(stage.metadata.table('keys').count(), maxEndedKeysPerTenant + 2,
    'besides those that have ended: the chief and the key of the stage')
  t.equal(stage.keys.find(first.id), undefined)
  t.strictSame(await refusal(), before, 'the answer says nothing about whether it is remembered')
  await expectError(t, await ask(chief, 'DELETE', `/keys/${first.id}`), 404, 'not_found')
  let actions: string[] = []
  for (let next: string | null = ''; next !== null;) {
    const answer = await ask(chief, 'GET', `/audit?limit=1000${next === '' ? '' : `&cursor=${next}`}`)
    const page = JSON.parse(answer.text) as { records: Array<{ action: string, target_id: string }>,
      next_cursor: string | null }
    actions = [...page.records.filter(({ target_id: target }) => target === first.id).map(({ action }) => action),
      ...actions]
    next = page.next_cursor
  }
  t.strictSame(actions, ['key.revoke', 'key.create'])
})

t.test('requests with a key that is not valid leave one line a minute in the log, without the key', async (t) => {
  const { stage, ask, keyOf } = await open(t)
  const key = await keyOf('acme', 'jobs:read')
  t.equal((await ask(key, 'GET', '/jobs')).status, 200)
  await stage.keys.revoke(idOf(key))
  for (const sent of [key, 'guessed', 'guessed-again']) t.equal((await ask(sent, 'GET', '/jobs')).status, 401)
  t.equal((await stage.app.inject('/jobs')).statusCode, 401)
  const found = stage.log().filter(({ msg }) => msg === 'requests came with an API key that is not valid')
  t.match(found, [{ level: 40, count: 1, keyId: idOf(key) }])
  t.equal(found.length, 1)
  t.notMatch(stage.logged.join(''), key)
})
