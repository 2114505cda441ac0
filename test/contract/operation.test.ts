import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { keyId, runKeys, runTabcast, type Ended } from '../support/command.ts'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { filesIn } from '../support/leftovers.ts'
import { Client, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* What an operator does: keys by the command line and by a static map, and settings that are wrong. */
const staticKeys = resolve(t.testdir({ 'static.json': '{"static-key-one": "mapped"}' }), 'static.json')
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_STATIC_KEYS_FILE: staticKeys })
t.teardown(service.cleanup)

async function run (args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return await runTabcast(args, { TABCAST_DATA_DIR: join(service.folder, 'data'), ...env })
}

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
  const { status, stdout } = await keys('list')
  t.equal(status, 0)
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
  for (const args of [['--tenant', 'acme', '--scopes', 'everything'], ['--tenant', '../x'], ['--tenant', 'acme', '--expires', 'soon'], ['--tenant', 'acme', '--color', 'red']]) {
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
  t.not((await keys('revoke', keyId(key))).status, 0)
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

t.test('a wrong setting stops the start with its name, its value and its rule', async (t) => {
  const folder = t.testdir({ 'config.json': '{"PORT": "eighty"}', 'list.json': '[]', 'broken.json': '{', 'unknown.json': '{"COLOR": "red"}' })
  const cases: Array<[env: Record<string, string>, ...texts: RegExp[]]> = [
    [{ TABCAST_PORT: 'http' }, /TABCAST_PORT/, /http/, /integer/i],
    [{ TABCAST_PORT: '70000' }, /TABCAST_PORT/, /70000/, /65535/],
    [{ TABCAST_WORKERS: '1.5' }, /TABCAST_WORKERS/, /1\.5/, /integer/i],
    [{ TABCAST_LOG_LEVEL: 'loud' }, /TABCAST_LOG_LEVEL/, /loud/, /warn/],
    [{ TABCAST_ENVIRONMENT: 'Live!' }, /TABCAST_ENVIRONMENT/, /Live!/, /a-z0-9/],
    [{ TABCAST_RATE_LIMITS: 'maybe' }, /TABCAST_RATE_LIMITS/, /maybe/, /boolean/i],
    [{ TABCAST_COLOR: 'red' }, /TABCAST_COLOR/, /no such setting/i],
    [{ TABCAST_CONFIG: join(folder, 'config.json') }, /TABCAST_PORT/, /eighty/, /integer/i],
    [{ TABCAST_CONFIG: join(folder, 'unknown.json') }, /COLOR/],
    [{ TABCAST_CONFIG: join(folder, 'list.json') }, /TABCAST_CONFIG/, /object/],
    [{ TABCAST_CONFIG: join(folder, 'broken.json') }, /TABCAST_CONFIG/, /JSON/],
    [{ TABCAST_CONFIG: join(folder, 'absent.json') }, /TABCAST_CONFIG/, /absent/]
  ]
  for (const [env, ...texts] of cases) {
    try {
      loadConfig(env)
      t.fail(`${JSON.stringify(env)} was taken`)
    } catch (error) {
      t.type(error, ConfigError)
      for (const text of texts) t.match((error as Error).message, text)
    }
  }
  const data = join(folder, 'data')
  for (const role of ['serve', 'api', 'worker', 'keys']) {
    const { status, stderr } = await run(role === 'keys' ? ['keys', 'list'] : [role], { TABCAST_DATA_DIR: data, TABCAST_PORT: '70000' })
    t.equal(status, 78, role)
    for (const text of [/TABCAST_PORT/, /70000/, /from 0 to 65535/]) t.match(stderr, text, role)
  }
  t.strictSame(await filesIn(data), [], 'nothing was made')
})

t.test('a data folder or a static map that cannot be used stops the start as well', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-unusable-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const refused = async (what: string, env: Record<string, string>, ...texts: RegExp[]) => {
    const { status, stderr } = await run(['serve'], { TABCAST_DATA_DIR: join(folder, 'data'), TABCAST_PORT: '0', ...env })
    t.equal(status, 78, `${what}: ${stderr}`)
    for (const text of texts) t.match(stderr, text, what)
    return stderr
  }
  await writeFile(join(folder, 'keys.json'), '{"short": "acme"}')
  const stderr = await refused('a static map', { TABCAST_STATIC_KEYS_FILE: join(folder, 'keys.json') }, /TABCAST_STATIC_KEYS_FILE/, /keys\.json/, /8 to 512/)
  t.notMatch(stderr, '"short"', 'the key is a secret')
  await refused('a path too long for a socket', { TABCAST_DATA_DIR: join(folder, 'x'.repeat(100)) }, /TABCAST_DATA_DIR/, /103/)
  await chmod(join(folder, 'data', 'secrets.json'), 0o644)
  await refused('secrets that others can read', {}, /secrets\.json/, /chmod 600/)

  const second = await run(['api'], { TABCAST_NATS_URL: 'nats://127.0.0.1:1', TABCAST_PORT: '0' })
  t.equal(second.status, 78, second.stderr)
  t.match(second.stderr, String(service.pids('api')[0]), 'a folder in use names its holder')
})

t.test('the command says what it knows, and refuses what it does not', async (t) => {
  t.equal((await run(['help'])).status, 0)
  t.equal((await run([])).status, 64)
  const unknown = await run(['dance'])
  t.equal(unknown.status, 64)
  t.match(unknown.stderr, 'dance')
  t.match((await run(['version'])).stdout, /^\d+\.\d+\.\d+/)
  const config = (await run(['config'], { TABCAST_PORT: '1234' })).stdout
  t.match(config, 'TABCAST_PORT=1234')
  t.match(config, 'TABCAST_JOB_RETENTION_SECONDS=3600')
})
