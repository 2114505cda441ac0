import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { keyId, runKeys, type Ended } from '../support/command.ts'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { filesIn } from '../support/leftovers.ts'
import { Client, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/*
 * Keys as an operator makes them, by the command line and by a static map: each change takes effect without a
 * restart.
 */
const staticKeys = resolve(t.testdir({ 'static.json': '{"static-key-one": "mapped"}' }), 'static.json')
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_STATIC_KEYS_FILE: staticKeys })
t.teardown(service.cleanup)

async function keys (...args: string[]): Promise<Ended> {
  return await runKeys(service, ...args)
}

async function create (tenant: string, ...options: string[]): Promise<Client> {
  const { status, last, stderr } = await keys('create', '--tenant', tenant, ...options)
  if (status !== 0) throw new Error(stderr)
  return new Client(service.baseUrl, last)
}

async function statusOf (key: string): Promise<number> {
  const answer = await new Client(service.baseUrl, key).request('GET', '/jobs')
  await answer.arrayBuffer()
  return answer.status
}

t.test('keys create prints the new key alone on the last line, and it works at once', async (t) => {
  const { status, last } = await keys('create', '--tenant', 'acme', '--name', 'batch runs')
  t.equal(status, 0)
  t.match(last, /^tbc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  t.equal(await statusOf(last), 200)
})

t.test('keys list shows every key, and no secret', async (t) => {
  const key = (await create('listed', '--scopes', 'jobs:read,forecast', '--name', 'shown')).key
  const { status, stdout, stderr } = await keys('list')
  t.equal(status, 0)
  t.match(stdout, /^ID +TENANT +SCOPES +CREATED +LAST USED +STATE +NAME\n/)
  t.match(stderr, `keys of the service that runs on TABCAST_DATA_DIR=${join(service.folder, 'data')}`)
  const line = stdout.split('\n').find((text) => text.startsWith(keyId(key))) ?? ''
  for (const part of ['listed', 'jobs:read,forecast', 'active', 'shown']) t.match(line, part)
  t.notMatch(stdout, key.split('_')[3] ?? key)
})

t.test('no secret of a key is written to the data folder or to the log', async (t) => {
  const secret = (await create('secretive')).key.split('_')[3] ?? ''
  const data = join(service.folder, 'data')
  for (const path of await filesIn(data)) {
    if (!path.endsWith('.sock')) t.notOk((await readFile(join(data, path))).includes(secret), path)
  }
  t.notMatch(service.log(), secret)
})

t.test('scopes limit a key, and an unknown scope or a wrong tenant is refused', async (t) => {
  const reader = await create('acme', '--scopes', 'jobs:read')
  t.equal((await reader.request('GET', '/jobs')).status, 200)
  await expectError(t, await reader.submit(csv(series())), 403, 'auth_failed')
  for (const args of [['--tenant', 'acme', '--scopes', 'everything'], ['--tenant', '../x'], ['--tenant', 'acme',
    '--expires', 'soon'], ['--tenant', 'acme', '--color', 'red']]) {
    const { status, stderr, stdout } = await keys('create', ...args)
    t.equal(status, 64, args.join(' '))
    t.ok(stderr)
    t.notMatch(stdout, 'tbc_')
  }
})

t.test('rotate gives a new key for the id; the old one works for the overlap', async (t) => {
  const old = (await create('acme')).key
  const rotated = await keys('rotate', keyId(old))
  t.equal(rotated.status, 0)
  t.equal(keyId(rotated.last), keyId(old))
  t.not(rotated.last, old)
  t.strictSame([await statusOf(old), await statusOf(rotated.last)], [200, 200])
  const last = (await keys('rotate', keyId(old), '--overlap', '1s')).last
  t.equal(await statusOf(old), 401, 'only one key before the current one is kept')
  await until('the overlap to end', async () => await statusOf(rotated.last) === 401)
  t.equal(await statusOf(last), 200)
  t.not((await keys('rotate', 'nosuchid')).status, 0)
})

t.test('revoke ends a key at once, and a second revoke fails', async (t) => {
  const { key } = await create('acme')
  t.equal(await statusOf(key), 200)
  t.equal((await keys('revoke', keyId(key))).status, 0)
  t.equal(await statusOf(key), 401)
  for (const action of ['revoke', 'rotate']) {
    t.match(await keys(action, keyId(key)), { status: 64, stderr: new RegExp(`key ${keyId(key)} is revoked already`) })
  }
  t.match(await keys('revoke', 'none'), { status: 64, stderr: /no such key: none/ })
  t.match(await keys('revoke'), {
    status: 64,
    stderr: 'tabcast: keys revoke: the ID of the key is missing (tabcast keys list shows it)\n'
  })
  t.match(await keys('create'), {
    status: 64,
    stdout: '',
    stderr: /keys create: --tenant NAME is missing; only a key with --scopes sandbox has none/
  })
  t.match((await keys('list')).stdout, new RegExp(`^${keyId(key)} .*revoked`, 'm'))
})

t.test('a key stops working when it expires', async (t) => {
  const { key } = await create('acme', '--expires', '2s')
  t.equal(await statusOf(key), 200)
  await until('the key to expire', async () => await statusOf(key) === 401)
})

t.test('a static map gives keys to tenants and is read again when it changes', async (t) => {
  t.equal(await statusOf('static-key-one'), 200)
  const replace = async (text: string) => {
    await writeFile(`${staticKeys}.new`, text)
    await rename(`${staticKeys}.new`, staticKeys)
  }
  await replace('{"static-key-two": {"tenant": "mapped", "scopes": ["jobs:read"]}}')
  await until('the new map', async () => await statusOf('static-key-two') === 200)
  t.equal(await statusOf('static-key-one'), 401, 'what was taken out is refused')
  await expectError(t, await new Client(service.baseUrl, 'static-key-two').submit(csv(series())), 403, 'auth_failed')
  await replace('{"half-written')
  await until('the broken map to be reported', () => service.log().includes(staticKeys))
  t.equal(await statusOf('static-key-two'), 200, 'a map that cannot be read leaves the one before in force')
  await replace('{}')
  await until('the empty map', async () => await statusOf('static-key-two') === 401)
})

t.test('keys survive a restart, and can be made while nothing runs', async (t) => {
  const { key } = await create('acme')
  await service.stop()
  const offline = (await keys('create', '--tenant', 'acme')).last
  await service.restart()
  t.strictSame([await statusOf(key), await statusOf(offline)], [200, 200])
})
