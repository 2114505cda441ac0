import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { LmdbTable } from '../../../src/platform/metadata/table.ts'
import { auditTables } from '../../../src/services/audit/audit-log.ts'
import { parseDurationMs } from '../../../src/services/keys/duration.ts'
import { mintKey, mintKeyId, readKeyId } from '../../../src/services/keys/key-format.ts'
import { listKeys, type ListedKey } from '../../../src/services/keys/key-list.ts'
import { keyTables, type KeyRecord } from '../../../src/services/keys/key-record.ts'
import { openKeyService, type KeyServiceOptions } from '../../../src/services/keys/key-service.ts'
import { checkScopes, checkTenant, defaultScopes, KeyInputError } from '../../../src/services/keys/scopes.ts'
import { loadSecrets } from '../../../src/services/keys/secrets.ts'
import { endedKeyDays, maxEndedKeysPerTenant } from '../../../src/services/keys/tenant-keys.ts'
import { ReadsATurn } from '../../support/reads-a-turn.ts'
import { until } from '../../support/until.ts'

const hourMs = 3_600_000

/** A key service over a real record, both closed with the test. */
async function openKeys (t: Test, options: Partial<KeyServiceOptions> = {}) {
  const folder = t.testdir({})
  const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: [...keyTables, ...auditTables] })
  const { pepper } = loadSecrets(join(folder, 'secrets.json'))
  const keys = openKeyService({
    metadata,
    pepper,
    environment: 'test',
    staticKeysFile: '',
    onError: (error) => t.error(error),
    ...options
  })
  t.teardown(async () => {
    await keys.close()
    await metadata.close()
  })
  return { keys, metadata, folder, pepper }
}

t.test('the form of a key', async (t) => {
  const id = mintKeyId()
  const key = mintKey('live', id)
  t.match(key, /^tbc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  t.equal(readKeyId(key), id)
  t.not(mintKey('live', id), key, 'each secret is new')
  for (let at = 0; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    t.equal(readKeyId(typo), undefined, `a typo at ${at} is noticed without the record`)
  }
  t.equal(readKeyId(key + 'a'), undefined)
  t.equal(readKeyId(''), undefined)
})

t.test('tenants, scopes and durations', async (t) => {
  for (const tenant of ['a', 'acme', 'acme-2', '0', 'a'.repeat(63)]) t.equal(checkTenant(tenant), tenant)
  for (const tenant of ['', 'A', 'a_b', '-a', 'a-', 'a/b', '..', 'a'.repeat(64), 'ä', 3, null]) {
    t.throws(() => checkTenant(tenant), KeyInputError)
  }
  t.strictSame(checkScopes(['forecast', 'jobs:read', 'forecast']), ['forecast', 'jobs:read'], 'each once')
  t.throws(() => checkTenant('key-0123456789abcdef'), /reserved/, 'the slug of a key without a tenant')
  t.throws(() => checkScopes([]), KeyInputError)
  t.throws(() => checkScopes(['forecasts']), /must be one of forecast,/)
  t.notOk(defaultScopes.includes('admin'))
  t.equal(parseDurationMs('90d'), 90 * 24 * hourMs)
  t.equal(parseDurationMs('12h'), 12 * hourMs)
  for (const text of ['', '0d', '1w', '-1d', '1.5h', '90']) t.throws(() => parseDurationMs(text), KeyInputError)
})

t.test('the secrets of an installation are made once and only for their owner', async (t) => {
  const path = join(t.testdir({}), 'data', 'secrets.json')
  const made = loadSecrets(path)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.strictSame(loadSecrets(path), made, 'the same the next time')
  t.equal(new Set([made.pepper, made.cursorKey, made.urlKey].map((secret) => secret.toString('hex'))).size, 3)
  t.equal(made.pepper.length, 32)
  chmodSync(path, 0o644)
  t.throws(() => loadSecrets(path), /chmod 600/)
  chmodSync(path, 0o600)
  writeFileSync(path, JSON.stringify({ v: 1, pepper: 'short' }))
  t.throws(() => loadSecrets(path), /pepper must be 32 bytes/)
  writeFileSync(path, '{')
  t.throws(() => loadSecrets(path), /not JSON/)
})

t.test('a created key is verified, and only its hash is kept', async (t) => {
  const { keys, folder, metadata } = await openKeys(t)
  const { key, summary } = await keys.create({ tenant: 'acme', scopes: ['forecast'], name: 'ci' })
  const identity = keys.verify(key)
  t.match(identity, { keyId: summary.id, tenant: 'acme' })
  t.strictSame([...identity?.scopes ?? []], ['forecast'])
  t.equal(keys.verify(key), identity, 'the second time it comes from memory')
  t.match(keys.list(), [{ id: summary.id, tenant: 'acme', name: 'ci', revokedAtMs: null, expiresAtMs: null }])

  t.equal(keys.verify(mintKey('test', summary.id)), undefined, 'a right id with another secret')
  t.equal(keys.verify(mintKey('test', 'AAAAAAAA')), undefined, 'an unknown id')
  t.equal(keys.verify(''), undefined)
  t.equal(keys.verify('nonsense'), undefined)

  const secret = key.split('_')[3] ?? ''
  t.notOk(JSON.stringify(keys.list()).includes(secret))
  await metadata.backup(join(folder, 'copy'))
  t.notOk(readFileSync(join(folder, 'copy', 'data.mdb')).includes(secret), 'the secret is nowhere in the record')
  await t.rejects(keys.create({ tenant: 'No Such', scopes: ['forecast'] }), KeyInputError)
  await t.rejects(keys.create({ tenant: 'acme', expiresAtMs: 1 }), /expired already/)
})

t.test('another pepper makes every key void', async (t) => {
  const { keys, metadata, folder } = await openKeys(t)
  const { key } = await keys.create({ tenant: 'acme' })
  const { pepper } = loadSecrets(join(folder, 'other.json'))
  const others = openKeyService({
    metadata,
    pepper,
    environment: 'test',
    staticKeysFile: '',
    onError: (error) => t.error(error)
  })
  t.ok(keys.verify(key))
  t.equal(others.verify(key), undefined)
  await others.close()
})

t.test('expiry, rotation and revocation take effect at once, also for a key in memory', async (t) => {
  let nowMs = Date.now()
  const { keys } = await openKeys(t, { now: () => nowMs })
  const expiring = await keys.create({ tenant: 'acme', expiresAtMs: nowMs + hourMs })
  t.ok(keys.verify(expiring.key))
  nowMs += hourMs
  t.equal(keys.verify(expiring.key), undefined, 'expired')

  const first = await keys.create({ tenant: 'acme' })
  const bystander = await keys.create({ tenant: 'other' })
  t.ok(keys.verify(first.key))
  const second = await keys.rotate(first.summary.id)
  t.equal(second.summary.id, first.summary.id, 'the id stays')
  t.ok(keys.verify(second.key))
  t.ok(keys.verify(first.key), 'the old secret works on')
  nowMs += 24 * hourMs
  t.equal(keys.verify(first.key), undefined, 'for a day')
  t.ok(keys.verify(second.key))

  const third = await keys.rotate(first.summary.id, { overlapMs: 0 })
  t.equal(keys.verify(second.key), undefined, 'an overlap of nothing ends it now')
  t.equal(await keys.revoke(first.summary.id), true)
  t.equal(keys.verify(third.key), undefined)
  t.ok(keys.verify(bystander.key))
  t.equal(await keys.revoke(first.summary.id), false, 'only once')
  t.equal(await keys.revoke('AAAAAAAA'), false)
  await t.rejects(keys.rotate(first.summary.id), KeyInputError, 'a revoked key is not rotated')
  t.equal(keys.list().find(({ id }) => id === first.summary.id)?.revokedAtMs, nowMs, 'it stays listed')
})

t.test('a key is revoked once, however often that is asked for', async (t) => {
  const { keys, metadata } = await openKeys(t)
  const { key, summary: { id } } = await keys.create({ tenant: 'acme' })
  keys.verify(key)
  const handedIn = t.capture(metadata, 'transact', metadata.transact)
  const ends = await Promise.all(Array.from({ length: 50 }, async () => {
    const isRevoked = await keys.revoke(id)
    return { isRevoked, works: keys.verify(key) !== undefined }
  }))
  t.equal(ends.filter(({ isRevoked }) => isRevoked).length, 1)
  t.notOk(ends.some(({ works }) => works), 'to everybody who asked it has ended')
  t.equal(await keys.revoke(id), false)
  t.equal(handedIn().length, 1, 'all tenants wait for it')
})

t.test('a change of one key has only that key looked up anew', async (t) => {
  const { keys } = await openKeys(t)
  const own = await keys.create({ tenant: 'evil' })
  const bystander = await keys.create({ tenant: 'other' })
  keys.verify(own.key)
  keys.verify(bystander.key)
  const rotated = await keys.rotate(own.summary.id)
  await keys.revoke((await keys.create({ tenant: 'evil' })).summary.id)
  const reads = t.capture(LmdbTable.prototype, 'get', LmdbTable.prototype.get)
  t.ok(keys.verify(bystander.key))
  t.equal(reads().length, 0, 'the key of another tenant is known still')
  t.ok(keys.verify(rotated.key))
  t.ok(keys.verify(own.key))
  t.equal(reads().length, 2)
})

t.test('the last use is kept to the minute', async (t) => {
  const nowMs = Date.UTC(2026, 10, 21, 8, 30, 42)
  const { keys } = await openKeys(t, { now: () => nowMs })
  const { key, summary } = await keys.create({ tenant: 'acme' })
  t.equal(summary.lastUsedAtMs, null)
  keys.verify(key)
  await keys.recordUses()
  t.equal(keys.list()[0]?.lastUsedAtMs, Date.UTC(2026, 10, 21, 8, 30))
})

t.test('a page of all keys, and a note of their uses, reads some keys, however many there are', async (t) => {
  const clock = { ms: Date.now() }
  const { keys: maker, metadata, pepper } = await openKeys(t, { now: () => clock.ms })
  const made: Array<{ key: string, id: string }> = []
  for (const tenant of ['a', 'b', 'c', 'd']) {
    clock.ms += 10
    for (const { key, summary } of await Promise.all(Array.from({ length: 150 }, () => maker.create({ tenant })))) {
      made.push({ key, id: summary.id })
    }
  }
  const revoked = made.filter((_one, index) => index % 10 === 0).map(({ id }) => id)
  for (const id of revoked) await maker.revoke(id)

  const reads = new ReadsATurn(metadata)
  t.teardown(() => reads.end())
  const keys = openKeyService({
    metadata,
    pepper,
    environment: 'test',
    staticKeysFile: '',
    now: () => clock.ms,
    onError: (error) => t.error(error)
  })
  t.teardown(() => keys.close())
  await reads.reset()
  const byId: string[] = []
  for (let page = keys.list(); page.length > 0; page = keys.list(page.at(-1)?.id)) {
    byId.push(...page.map(({ id }) => id))
    await turn()
  }
  t.strictSame(byId, made.map(({ id }) => id).sort())
  const newest: ListedKey[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = listKeys(keys, { tenant: null, limit: 40, after: after ?? null })
    newest.push(...page.keys)
    after = page.next
    await turn()
  }
  t.ok(reads.most <= 250, `${reads.most} records in one turn`)
  const times = newest.map(({ key }) => 'createdAtMs' in key ? key.createdAtMs : 0)
  t.strictSame(times, times.toSorted((a, b) => b - a), 'the newest first')
  t.strictSame(newest.map(({ key }) => key.id).sort(), byId.filter((id) => !revoked.includes(id)))

  clock.ms += 10
  await keys.revoke(newest[0]?.key.id ?? '')
  const late = await keys.create({ tenant: 'e' })
  t.strictSame(listKeys(keys, { tenant: null, limit: 2, after: null }).keys.map(({ key }) => key.id), [late.summary.id,
    newest[1]?.key.id])

  const used = made.filter(({ key }) => keys.verify(key) !== undefined)
  await reads.reset()
  await keys.recordUses()
  t.ok(reads.most <= 800 && reads.transactions > 1,
    `${reads.most} records in one turn, ${reads.transactions} transactions`)
  t.ok(used.length > 500 && used.every(({ id }) => keys.find(id)?.lastUsedAtMs !== null))
})

t.test('the static map is read from its file and again when it changes', async (t) => {
  const errors: Error[] = []
  const { metadata, pepper, folder } = await openKeys(t)
  const path = join(folder, 'keys.json')
  writeFileSync(path, JSON.stringify({
    'alpha-key-1': 'alpha',
    'beta-key-22': { tenant: 'beta', scopes: ['jobs:read'] },
    'nobodys-key': { tenant: null },
    'nobodys-other': { tenant: null }
  }))
  const keys = openKeyService({
    metadata,
    pepper,
    environment: 'test',
    staticKeysFile: path,
    onError: (error) => errors.push(error)
  })
  t.teardown(() => keys.close())
  t.match(keys.verify('alpha-key-1'), { tenant: 'alpha' })
  t.strictSame([...keys.verify('alpha-key-1')?.scopes ?? []], [...defaultScopes])
  t.strictSame([...keys.verify('beta-key-22')?.scopes ?? []], ['jobs:read'])
  t.match(keys.verify('beta-key-22')?.keyId, /^[0-9a-f]{8}$/)
  t.equal(keys.verify('alpha-key-2'), undefined)
  t.equal(keys.verify('alpha-key-1')?.hasTenant, true)
  const nobody = keys.verify('nobodys-key')
  t.match(nobody, { hasTenant: false, tenant: /^key-[0-9a-f]{16}$/ })
  t.not(keys.verify('nobodys-other')?.tenant, nobody?.tenant, 'each has data of its own')

  writeFileSync(path, '{ "alpha-key-1": ')
  await until('the broken file is reported', () => errors.length > 0)
  t.ok(keys.verify('alpha-key-1'), 'the last good map stays in force')
  writeFileSync(path, JSON.stringify({ 'gamma-key-3': 'gamma' }))
  await until('the new file is in force', () => keys.verify('gamma-key-3'))
  t.equal(keys.verify('alpha-key-1'), undefined, 'a key that is gone from the file is out of memory too')
})

t.test('an unusable static map stops start-up without showing a key', async (t) => {
  const { metadata, pepper, folder } = await openKeys(t)
  const staticKeysFile = join(folder, 'keys.json')
  const open = (content: string) => () => {
    writeFileSync(staticKeysFile, content)
    return openKeyService({ metadata, pepper, environment: 'test', staticKeysFile, onError: (error) => t.error(error) })
  }
  t.throws(open('[]'), /must be a JSON object/)
  const broken = t.throws(open('{"abcd1234-secret": x}'), /is not JSON/) as Error
  t.notMatch(`${broken.stack} ${String(broken.cause)}`, 'abcd1234')
  t.throws(open('{ "short": "acme" }'), /entry 1: a key is 8 to 512/)
  t.throws(open('{ "long-enough": "No Tenant" }'), /entry 1: tenant "No Tenant"/)
  t.throws(open('{ "long-enough": { "tenant": "acme", "scope": [] } }'), /unknown field "scope"/)
  try {
    open('{ "my-secret-key": 7 }')()
    t.fail('has to throw')
  } catch (error) {
    t.notOk(String(error).includes('my-secret-key'))
  }
  t.throws(
    () =>
      openKeyService({
        metadata,
        pepper,
        environment: 'test',
        staticKeysFile: join(folder, 'absent.json'),
        onError: () => undefined
      }),
    KeyInputError
  )
})

t.test('keys that have ended do not stay for ever: the newest 1,000 of a tenant, for 90 days, with the notes of ' +
  'their use', async (t) => {
  const clock = { ms: Date.now() }
  const { keys, metadata, pepper } = await openKeys(t, { now: () => clock.ms })
  const records = metadata.table<KeyRecord>('keys')
  const uses = metadata.table('keyUses')
  const kept = await keys.create({ tenant: 'acme' })
  const first = await keys.create({ tenant: 'acme' })
  t.ok(keys.verify(first.key))
  await keys.recordUses()
  t.equal(uses.count(), 1)
  await keys.revoke(first.summary.id)
  for (let round = 0; round < maxEndedKeysPerTenant / 100; round++) {
    clock.ms += 1000
    const issued = await Promise.all(Array.from({ length: 100 }, () => keys.create({ tenant: 'acme' })))
    if (round === 0) t.ok(keys.verify(issued[0]?.key ?? ''), 'in use until it is revoked')
    await Promise.all(issued.map(({ summary }) => keys.revoke(summary.id)))
  }
  t.equal(keys.find(first.summary.id), undefined,
    'the one that ended first went first, with the change that made one too many')
  t.equal(keys.verify(first.key), undefined, 'and it lets in nobody')
  t.equal(await keys.revoke(first.summary.id), false)
  t.equal(records.count(), maxEndedKeysPerTenant + 1)
  await keys.recordUses()
  t.equal(uses.count(), 1, 'its use is forgotten too, and the one that was still to be noted is')

  const foreign = await keys.create({ tenant: 'beta', expiresAtMs: clock.ms + hourMs })
  const reopened = openKeyService({
    metadata,
    pepper,
    environment: 'test',
    staticKeysFile: '',
    now: () => clock.ms,
    onError: (error) => t.error(error)
  })
  t.teardown(() => reopened.close())
  clock.ms += endedKeyDays * 24 * hourMs
  await reopened.forgetEnded()
  t.strictSame([...records.range()].map(({ value }) => value.id).sort(), [kept.summary.id, foreign.summary.id].sort(),
    'one that expired counts from its expiry')
  clock.ms += hourMs
  await reopened.forgetEnded()
  t.strictSame([...records.range()].map(({ value }) => value.id), [kept.summary.id])
  t.equal(uses.count(), 0)
  t.ok(reopened.verify(kept.key))
})
