import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openApi } from '../support/api.ts'
import { expectError, fieldsOf, type Answer } from '../support/expect-error.ts'
import { filesIn } from '../support/leftovers.ts'
import { until } from '../support/until.ts'

/* Keys as an administrator makes them over HTTP: of every tenant, shown once, changed at once. */

interface ApiKey {
  id: string
  prefix: string | null
  tenant: string | null
  scopes: string[]
  name: string | null
  source: string
  created_at: string | null
  expires_at: string | null
  key?: string
}

async function openAdmin (t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-static-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'static.json')
  await writeFile(file,
    JSON.stringify({ 'static-key-one': 'mapped', 'static-nobody': { tenant: null, scopes: ['admin'] } }))
  const stage = await openApi(t, { TABCAST_STATIC_KEYS_FILE: file })
  const { key: admin } = await stage.keys.create({ tenant: 'operator', scopes: ['admin'], name: 'first' })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object | null,
    headers: Record<string, string> = {}, key = admin): Promise<Answer> => {
    const answer = await stage.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload === undefined || payload === null ? {} : { payload })
    })
    return {
      status: answer.statusCode,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      text: answer.payload
    }
  }
  const make = async (body: object): Promise<Required<ApiKey>> => {
    const { status, text } = await ask('POST', '/admin/keys', body)
    t.equal(status, 201, text)
    return JSON.parse(text) as Required<ApiKey>
  }
  const list = async (query = ''): Promise<{ keys: ApiKey[], next_cursor: string | null }> =>
    JSON.parse((await ask('GET', `/admin/keys${query}`)).text) as never
  const statusOf = async (key: string) => (await ask('GET', '/jobs', null, {}, key)).status
  return { stage, admin, ask, make, list, statusOf }
}

const secretOf = (key: string) => key.split('_')[3] ?? key

t.test('a key is made, shown once, used, rotated and revoked', async (t) => {
  const { stage, ask, make, list, statusOf } = await openAdmin(t)
  const beforeMs = Date.now()
  const made = await make({ tenant: 'beta', scopes: ['jobs:read', 'forecast'], name: 'reports', expires: '90d' })
  t.match(made.key, /^tbc_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  t.ok(made.key.startsWith('tbc_test_' + made.id))
  t.match(made, {
    tenant: 'beta',
    scopes: ['jobs:read', 'forecast'],
    name: 'reports',
    source: 'issued',
    last_used_at: null
  })
  const days = (Date.parse(made.expires_at ?? '') - beforeMs) / 864e5
  t.ok(days >= 90 && days < 90.01)
  t.equal(await statusOf(made.key), 200)

  const shown = JSON.parse((await ask('GET', `/admin/keys/${made.id}`)).text) as ApiKey
  const { key, ...rest } = made
  t.strictSame(shown, rest)
  t.equal(shown.prefix, `tbc_test_${made.id}`)
  const { keys } = await list()
  t.strictSame(keys.find(({ id }) => id === made.id), shown)
  t.notMatch(JSON.stringify(keys), secretOf(key))

  const rotated = JSON.parse((await ask('POST', `/admin/keys/${made.id}/rotate`)).text) as Required<ApiKey>
  t.equal(rotated.id, made.id)
  t.not(rotated.key, key)
  t.strictSame([await statusOf(key), await statusOf(rotated.key)], [200, 200], 'both for a day')
  const third = JSON.parse((await ask('POST', `/admin/keys/${made.id}/rotate`, { overlap: '1h' })).text) as Required<
    ApiKey
  >
  t.strictSame([await statusOf(key), await statusOf(rotated.key), await statusOf(third.key)], [401, 200, 200])

  t.equal((await ask('DELETE', `/admin/keys/${made.id}`)).status, 204)
  t.strictSame([await statusOf(rotated.key), await statusOf(third.key)], [401, 401])
  for (const [method, path] of [['GET', ''], ['DELETE', ''], ['POST', '/rotate']] as const) {
    await expectError(t, await ask(method, `/admin/keys/${made.id}${path}`, method === 'POST' ? {} : null), 404,
      'not_found')
  }
  t.notOk((await list()).keys.some(({ id }) => id === made.id), 'a revoked key is not listed')

  const lines = stage.logged.filter((line) => line.includes('"audit"')).map((line) =>
    JSON.parse(line) as { audit: string, keyId: string, by: string, tenant: string }
  )
  t.match(lines, [{ audit: 'key_created', keyId: made.id, tenant: 'beta', by: /^.{8}$/, requestId: /^req_/ }, {
    audit: 'key_rotated'
  }, { audit: 'key_rotated' }, { audit: 'key_revoked' }])
  for (const secret of [key, rotated.key, third.key]) {
    t.notMatch(stage.logged.join(''), secretOf(secret), 'the log has no secret')
  }
})

t.test('an administrator has the keys of every tenant; another key has none of this', async (t) => {
  const { stage, ask, make, list, admin, statusOf } = await openAdmin(t)
  const made = [await make({ tenant: 'beta' }), await make({ tenant: 'beta', name: null }),
    await make({ tenant: 'gamma' })]
  t.strictSame(made[0]?.scopes.includes('admin'), false, 'not what nobody asked for')
  const all = await list()
  t.strictSame(all.keys.map(({ tenant }) => tenant).sort(),
    ['acme', 'beta', 'beta', 'gamma', 'mapped', 'operator', null].sort())
  t.strictSame((await list('?tenant=beta')).keys.map(({ id }) => id).sort(), [made[0]?.id, made[1]?.id].sort())

  const paged: ApiKey[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { keys: ApiKey[], next_cursor: string | null } = await list(
      `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`
    )
    paged.push(...page.keys)
    cursor = page.next_cursor
  }
  t.strictSame(paged, all.keys, 'pages give each key once')
  const times = all.keys.map(({ created_at: time }) => time).filter((time) => time !== null)
  t.strictSame(times, [...times].sort().reverse(), 'newest first')

  const first = await list('?limit=1&tenant=beta')
  t.match(
    fieldsOf(
      await expectError(t, await ask('GET', `/admin/keys?limit=1&cursor=${first.next_cursor}`), 422, 'validation_error')
    ),
    [{ loc: ['query', 'cursor'] }]
  )
  for (const [method, path] of [['GET', ''], ['POST', ''], ['GET', '/abcdefgh'], ['POST', '/abcdefgh/rotate'], [
    'DELETE',
    '/abcdefgh'
  ]] as const) {
    await expectError(t,
      await ask(method, `/admin/keys${path}`, method === 'POST' ? { tenant: 'beta' } : null, {}, stage.key), 403,
      'auth_failed')
    await expectError(t,
      await ask(method, `/admin/keys${path}`, method === 'POST' ? { tenant: 'beta' } : null, {}, 'none'), 401,
      'auth_failed')
  }
  t.equal((await ask('GET', '/admin/keys', null, {}, 'static-nobody')).status, 200, 'also a key of the static map')

  t.equal((await ask('DELETE', `/admin/keys/${admin.split('_')[2]}`)).status, 204, 'also the key that asks')
  t.equal(await statusOf(admin), 401)
})

t.test('what is wrong is said of its field, and nothing is made', async (t) => {
  const { ask, list } = await openAdmin(t)
  const before = (await list()).keys.length
  for (const [body, field] of [
    [{}, 'tenant'],
    [{ tenant: 'No Tenant' }, 'tenant'],
    [{ tenant: 'key-0123456789abcdef' }, 'tenant'],
    [{ tenant: 7 }, 'tenant'],
    [{ tenant: 'beta', scopes: [] }, 'scopes'],
    [{ tenant: 'beta', scopes: ['everything'] }, 'scopes'],
    [{ tenant: 'beta', expires: 'soon' }, 'expires'],
    [{ tenant: 'beta', expires: '0d' }, 'expires'],
    [{ tenant: 'beta', name: 'a\nb' }, 'name'],
    [{ tenant: 'beta', name: 'x'.repeat(201) }, 'name'],
    [{ tenant: 'beta', color: 'red' }, 'color']
  ] as const) {
    const fields = fieldsOf(await expectError(t, await ask('POST', '/admin/keys', body), 422, 'validation_error'))
    t.strictSame(fields[0]?.loc.slice(0, 2), ['body', field], JSON.stringify(body))
  }
  t.equal((await list()).keys.length, before)
  await expectError(t, await ask('POST', '/admin/keys/nosuchid/rotate', {}), 404, 'not_found')
  await expectError(t, await ask('DELETE', '/admin/keys/nosuchid'), 404, 'not_found')
  await expectError(t, await ask('POST', '/admin/keys/nosuchid/rotate', { overlap: 'x' }), 422, 'validation_error')
})

t.test('keys of the static map are listed last, and are only changed in their file', async (t) => {
  const { stage, ask, list } = await openAdmin(t)
  const fixed = (await list()).keys.slice(-2)
  t.match(fixed.sort((a, b) => String(a.tenant) < String(b.tenant) ? -1 : 1), [
    { source: 'static', tenant: 'mapped', prefix: null, created_at: null, expires_at: null, last_used_at: null },
    { source: 'static', tenant: null, scopes: ['admin'] }
  ])
  t.notMatch(JSON.stringify(fixed), 'static-')
  const id = fixed[0]?.id
  t.equal((await ask('GET', `/admin/keys/${id}`)).status, 200)
  for (const [method, path] of [['DELETE', ''], ['POST', '/rotate']] as const) {
    const fields = fieldsOf(
      await expectError(t, await ask(method, `/admin/keys/${id}${path}`, method === 'POST' ? {} : null), 422,
        'validation_error')
    )
    t.match(fields, [{ loc: ['path', 'id'], msg: /TABCAST_STATIC_KEYS_FILE/ }])
  }
  await writeFile(stage.config.STATIC_KEYS_FILE, '{}')
  await until('the file is read again', async () => (await ask('GET', `/admin/keys/${id}`)).status === 404)
})

t.test('a repeat with the same Idempotency-Key gets the same secret, which lies nowhere in clear', async (t) => {
  const { stage, ask, list } = await openAdmin(t)
  const headers = { 'idempotency-key': 'make-one' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask('POST', '/admin/keys', { tenant: 'beta' }, headers))
  )
  t.equal(new Set(answers.map(({ text }) => text)).size, 1)
  t.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true').length, 4)
  t.equal((await list('?tenant=beta')).keys.length, 1)
  await expectError(t, await ask('POST', '/admin/keys', { tenant: 'gamma' }, headers), 409, 'idempotency_conflict')
  const { id, key } = JSON.parse(answers[0]?.text ?? '') as Required<ApiKey>
  const rotations = await Promise.all(
    Array.from({ length: 3 }, () => ask('POST', `/admin/keys/${id}/rotate`, {}, headers))
  )
  t.equal(new Set(rotations.map(({ text }) => text)).size, 1)
  const next = (JSON.parse(rotations[0]?.text ?? '') as Required<ApiKey>).key
  for (const path of await filesIn(stage.folder)) {
    const bytes = await readFile(join(stage.folder, path))
    for (const secret of [key, next]) t.notOk(bytes.includes(secretOf(secret)), path)
  }
  t.equal(stage.logged.filter((line) => line.includes('key_created')).length, 1, 'a replay changes nothing')
})

t.test('an expired key is not rotated back to life', async (t) => {
  const { ask, make } = await openAdmin(t)
  const { id } = await make({ tenant: 'beta', expires: '1s' })
  await sleep(1100)
  t.match(fieldsOf(await expectError(t, await ask('POST', `/admin/keys/${id}/rotate`, {}), 422, 'validation_error')), [{
    loc: ['path', 'id'],
    msg: /expired/
  }])
})
