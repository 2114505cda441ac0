import { spawnSync } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { csv, series } from '../support/csv.ts'
import { expectError } from '../support/expect-error.ts'
import { filesIn } from '../support/leftovers.ts'
import { Client, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/* What an operator does: keys by the command line and by a static map, and settings that are wrong. */
const staticKeys = resolve(t.testdir({ 'static.json': '{"static-key-one": "mapped"}' }), 'static.json')
const service = await startService({ TABCAST_RATE_LIMITS: 'false', TABCAST_STATIC_KEYS_FILE: staticKeys })
t.teardown(service.cleanup)

interface Ended { status: number | null, stdout: string, stderr: string, last: string }

function run (args: string[], env: Record<string, string> = {}): Ended {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TABCAST_'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('dist/cli.js'), ...args], {
    env: { ...Object.fromEntries(inherited), TABCAST_DATA_DIR: join(service.folder, 'data'), ...env }, encoding: 'utf8', timeout: 60_000
  })
  return { status, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) ?? '' }
}

function keys (...args: string[]): Ended {
  return run(['keys', ...args])
}

function create (tenant: string, ...options: string[]): Client {
  const { status, last, stderr } = keys('create', '--tenant', tenant, ...options)
  if (status !== 0) throw new Error(stderr)
  return new Client(service.baseUrl, last)
}

async function statusOf (key: string): Promise<number> {
  const answer = await new Client(service.baseUrl, key).request('GET', '/jobs')
  await answer.arrayBuffer()
  return answer.status
}

const idOf = (key: string): string => key.split('_')[2] ?? ''

t.test('keys create prints the new key alone on the last line, and it works at once', async (t) => {
  const { status, last } = keys('create', '--tenant', 'acme', '--name', 'batch runs')
  t.equal(status, 0)
  t.match(last, /^tbc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  t.equal(await statusOf(last), 200)
})

t.test('keys list shows every key, and no secret', async (t) => {
  const key = create('listed', '--scopes', 'jobs:read,forecast', '--name', 'shown').key
  const { status, stdout } = keys('list')
  t.equal(status, 0)
  const line = stdout.split('\n').find((text) => text.startsWith(idOf(key))) ?? ''
  for (const part of ['listed', 'jobs:read,forecast', 'active', 'shown']) t.match(line, part)
  t.notMatch(stdout, key.split('_')[3] ?? key)
})

t.test('no secret of a key is written to the data folder or to the log', async (t) => {
  const secret = create('secretive').key.split('_')[3] ?? ''
  const data = join(service.folder, 'data')
  for (const path of await filesIn(data)) {
    if (!path.endsWith('.sock')) t.notOk((await readFile(join(data, path))).includes(secret), path)
  }
  t.notMatch(service.log(), secret)
})

t.test('scopes limit a key, and an unknown scope or a wrong tenant is refused', async (t) => {
  const reader = create('acme', '--scopes', 'jobs:read')
  t.equal((await reader.request('GET', '/jobs')).status, 200)
  await expectError(t, await reader.submit(csv(series())), 403, 'auth_failed')
  for (const args of [['--tenant', 'acme', '--scopes', 'everything'], ['--tenant', 'No Such'], ['--tenant', '../x'], ['--tenant', ''], ['--tenant', 'acme', '--expires', 'soon'], ['--tenant', 'acme', '--color', 'red']]) {
    const { status, stderr, stdout } = keys('create', ...args)
    t.equal(status, 64, args.join(' '))
    t.ok(stderr)
    t.notMatch(stdout, 'tbc_')
  }
})

t.test('rotate gives a new key for the id; the old one works for the overlap', async (t) => {
  const old = create('acme').key
  const rotated = keys('rotate', idOf(old))
  t.equal(rotated.status, 0)
  t.equal(idOf(rotated.last), idOf(old))
  t.not(rotated.last, old)
  t.strictSame([await statusOf(old), await statusOf(rotated.last)], [200, 200])
  const last = keys('rotate', idOf(old), '--overlap', '1s').last
  t.equal(await statusOf(old), 401, 'only one key before the current one is kept')
  await until('the overlap to end', async () => await statusOf(rotated.last) === 401)
  t.equal(await statusOf(last), 200)
  t.not(keys('rotate', 'nosuchid').status, 0)
})

t.test('revoke ends a key at once, and a second revoke fails', async (t) => {
  const { key } = create('acme')
  t.equal(await statusOf(key), 200)
  t.equal(keys('revoke', idOf(key)).status, 0)
  t.equal(await statusOf(key), 401)
  t.not(keys('revoke', idOf(key)).status, 0)
  t.match(keys('list').stdout, new RegExp(`^${idOf(key)} .*revoked`, 'm'))
})

t.test('a key stops working when it expires', async (t) => {
  const { key } = create('acme', '--expires', '2s')
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
  const { key } = create('acme')
  await service.stop()
  const offline = keys('create', '--tenant', 'acme').last
  await service.restart()
  t.strictSame([await statusOf(key), await statusOf(offline)], [200, 200])
})

t.test('a wrong setting stops the start with its name, its value and its rule', async (t) => {
  const folder = t.testdir({ 'config.json': '{"PORT": "eighty"}', 'list.json': '[]', 'broken.json': '{', 'unknown.json': '{"COLOR": "red"}', 'keys.json': '{"short": "acme"}' })
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
  for (const [at, [env, ...texts]] of cases.entries()) {
    for (const command of at === 0 ? ['serve', 'api', 'worker', 'config'] : ['serve']) {
      const { status, stderr } = run([command], { TABCAST_DATA_DIR: join(folder, 'data'), ...env })
      t.equal(status, 78, `${command} ${JSON.stringify(env)}: ${stderr}`)
      for (const text of texts) t.match(stderr, text)
    }
  }
  t.strictSame(await filesIn(join(folder, 'data')), [], 'nothing was made')
})

t.test('a static map that cannot be used, and a data folder in use, stop the start as well', async (t) => {
  const folder = t.testdir({ 'keys.json': '{"short": "acme"}' })
  const map = run(['serve'], { TABCAST_DATA_DIR: join(folder, 'data'), TABCAST_STATIC_KEYS_FILE: join(folder, 'keys.json'), TABCAST_PORT: '0' })
  t.equal(map.status, 78, map.stderr)
  t.match(map.stderr, /keys\.json/)
  t.notMatch(map.stderr, '"short"')
  const second = run(['api'], { TABCAST_NATS_URL: 'nats://127.0.0.1:1', TABCAST_PORT: '0' })
  t.equal(second.status, 78, second.stderr)
  t.match(second.stderr, String(service.pids('api')[0]))
})

t.test('the command says what it knows, and refuses what it does not', async (t) => {
  t.equal(run(['help']).status, 0)
  t.equal(run([]).status, 64)
  const unknown = run(['dance'])
  t.equal(unknown.status, 64)
  t.match(unknown.stderr, 'dance')
  t.match(run(['version']).stdout, /^\d+\.\d+\.\d+/)
  const config = run(['config'], { TABCAST_PORT: '1234' }).stdout
  t.match(config, 'TABCAST_PORT=1234')
  t.match(config, 'TABCAST_JOB_RETENTION_SECONDS=3600')
})
