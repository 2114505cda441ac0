import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError, loadConfig, settings } from '../../src/platform/config.ts'
import { launcher, runTabcast } from '../support/command.ts'
import { filesIn } from '../support/leftovers.ts'
import { until } from '../support/until.ts'

/* Settings that are wrong stop the start, with an exit code that tells a supervisor not to try again. */

t.test('a wrong setting stops the start with its name, its value and its rule', async (t) => {
  const folder = t.testdir({
    'config.json': '{"PORT": "eighty"}',
    'list.json': '[]',
    'broken.json': '{',
    'secret.json': '{"S3_SECRET_ACCESS_KEY": topsecret99}',
    'unknown.json': '{"COLOR": "red"}'
  })
  const cases: Array<[env: Record<string, string>, ...texts: RegExp[]]> = [
    [{ TABCAST_PORT: 'http' }, /TABCAST_PORT/, /http/, /integer/i],
    [{ TABCAST_PORT: '70000' }, /TABCAST_PORT/, /70000/, /65535/],
    [{ TABCAST_WORKERS: '1.5' }, /TABCAST_WORKERS/, /1\.5/, /integer/i],
    [{ TABCAST_LOG_LEVEL: 'loud' }, /TABCAST_LOG_LEVEL/, /loud/, /warn/],
    [{ TABCAST_ENVIRONMENT: 'Live!' }, /TABCAST_ENVIRONMENT/, /Live!/, /lower-case letters and digits/],
    [{ TABCAST_RATE_LIMITS: 'maybe' }, /TABCAST_RATE_LIMITS/, /maybe/, /boolean/i],
    [{ TABCAST_COLOR: 'red' }, /TABCAST_COLOR/, /no such setting/i],
    [{ TABCAST_CONFIG: join(folder, 'config.json') }, /TABCAST_PORT/, /eighty/, /integer/i],
    [{ TABCAST_CONFIG: join(folder, 'unknown.json') }, /COLOR/],
    [{ TABCAST_CONFIG: join(folder, 'list.json') }, /TABCAST_CONFIG/, /object/],
    [{ TABCAST_CONFIG: join(folder, 'broken.json') }, /TABCAST_CONFIG/, /JSON/],
    [{ TABCAST_CONFIG: join(folder, 'absent.json') }, /TABCAST_CONFIG/, /absent/],
    [{ TABCAST_PUBLIC_URL: 'tabcast.example.com' }, /TABCAST_PUBLIC_URL/, /an http or https address/],
    [{ TABCAST_S3_ENDPOINT: 'ftp://store' }, /TABCAST_S3_ENDPOINT/, /an http or https address/],
    [{ TABCAST_NATS_URL: 'http://queue:4222' }, /TABCAST_NATS_URL/, /http:\/\/queue:4222/,
      /nats:\/\/host:port or tls:\/\/host:port/],
    [{ TABCAST_NATS_URL: 'nats://user:secret@queue' }, /TABCAST_NATS_URL/],
    [{ TABCAST_CURRENCY: 'euro' }, /TABCAST_CURRENCY/, /three capital letters/],
    [{ TABCAST_EXPLANATION_URL: 'file:///etc/passwd' }, /TABCAST_EXPLANATION_URL/, /an http or https address/]
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
  for (const url of ['queue', 'queue:4222', 'nats://queue.example.com:4222', 'tls://10.0.0.7', '[::1]:4222',
    'nats://a:4222,nats://b_1:4222']) t.equal(loadConfig({ TABCAST_NATS_URL: url }).NATS_URL, url)
  const shown = t.throws(() => loadConfig({ TABCAST_CONFIG: join(folder, 'secret.json') }), {
    name: 'ConfigError',
    message: /is not JSON/
  }) as Error
  t.notMatch(`${shown.stack} ${String(shown.cause)}`, 'topsecret99', 'a parser quotes what it reads')
  const data = join(folder, 'data')
  for (const role of ['serve', 'api', 'worker', 'keys']) {
    const { status, stderr } = await runTabcast(role === 'keys' ? ['keys', 'list'] : [role], {
      TABCAST_DATA_DIR: data,
      TABCAST_PORT: '70000'
    })
    t.equal(status, 78, role)
    for (const text of [/TABCAST_PORT/, /70000/, /from 0 to 65535/]) t.match(stderr, text, role)
  }
  t.strictSame(await filesIn(data), [], 'nothing was made')
})

t.test('a data folder or a static map that cannot be used stops the start as well', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-unusable-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const refused = async (what: string, env: Record<string, string>, ...texts: RegExp[]) => {
    const { status, stderr } = await runTabcast(['serve'], {
      TABCAST_DATA_DIR: join(folder, 'data'),
      TABCAST_PORT: '0',
      ...env
    })
    t.equal(status, 78, `${what}: ${stderr}`)
    for (const text of texts) t.match(stderr, text, what)
    return stderr
  }
  await writeFile(join(folder, 'keys.json'), '{"short": "acme"}')
  const stderr = await refused('a static map', { TABCAST_STATIC_KEYS_FILE: join(folder, 'keys.json') },
    /TABCAST_STATIC_KEYS_FILE/, /keys\.json/, /8 to 512/)
  t.notMatch(stderr, '"short"', 'the key is a secret')
  await refused('a path too long for a socket', { TABCAST_DATA_DIR: join(folder, 'x'.repeat(100)) }, /TABCAST_DATA_DIR/,
    /103/)
  await writeFile(join(folder, 'file'), '')
  await refused('a file', { TABCAST_DATA_DIR: join(folder, 'file') }, /TABCAST_DATA_DIR/, /EEXIST/)
  await refused('a folder below a file', { TABCAST_DATA_DIR: join(folder, 'file', 'data') }, /TABCAST_DATA_DIR/,
    /ENOTDIR/)
  await refused('a folder that takes no entries', { TABCAST_DATA_DIR: '/proc/nope' }, /TABCAST_DATA_DIR="\/proc\/nope"/,
    /ENOENT/)
  await refused('an address that is none', { TABCAST_HOST: '999.1.1.1' }, /TABCAST_HOST=999\.1\.1\.1/,
    /not an address of this machine/)
  await writeFile(join(folder, 'data', 'secrets.json'), '{}', { mode: 0o644 })
  await refused('secrets that others can read', {}, /secrets\.json/, /chmod 600/)
})

t.test('a worker that shares no store with its api says so', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-alone-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const [program, ...first] = launcher
  const told = async (env: Record<string, string>) => {
    const child = spawn(program, [...first, process.execPath, 'dist/cli.js', 'worker'], {
      env: {
        ...process.env,
        TABCAST_DATA_DIR: folder,
        TABCAST_NATS_URL: 'nats://127.0.0.1:1',
        TABCAST_SLOTS: '1',
        ...env
      },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    let text = ''
    child.stderr.on('data', (piece: Buffer) => {
      text += String(piece)
    })
    await until('it has started', () => text.includes('worker started'))
    child.kill('SIGKILL')
    await once(child, 'close')
    return text
  }
  t.match(await told({}), 'neither TABCAST_S3_ENDPOINT nor TABCAST_SHARED_DATA_DIR is set')
  t.notMatch(await told({ TABCAST_SHARED_DATA_DIR: 'true' }), 'TABCAST_SHARED_DATA_DIR is set')
})

t.test('the command says what it knows, and refuses what it does not', async (t) => {
  t.equal((await runTabcast(['help'])).status, 0)
  t.equal((await runTabcast([])).status, 64)
  const unknown = await runTabcast(['dance'])
  t.equal(unknown.status, 64)
  t.match(unknown.stderr, 'dance')
  t.match((await runTabcast(['version'])).stdout, /^\d+\.\d+\.\d+/)
  const config = (await runTabcast(['config'], { TABCAST_PORT: '1234' })).stdout
  t.match(config, /TABCAST_PORT=1234\n .*Default 8080, must be an integer from 0 to 65535\./)
  t.match(config, /Default "info", must be one of fatal, error,/)
  t.match(config, 'TABCAST_JOB_RETENTION_SECONDS=3600')
})

t.test('tabcast config says of every setting where it is from, and shows no secret', async (t) => {
  const file = join(t.testdir({ 'config.json': '{"PORT": 1, "WORKERS": 3}' }), 'config.json')
  const env = { TABCAST_CONFIG: file, TABCAST_PORT: '1234', TABCAST_NATS_TOKEN: 'canary-of-the-queue' }
  const { status, stdout } = await runTabcast(['config', '--json'], env)
  t.equal(status, 0)
  const shown = new Map(
    (JSON.parse(stdout) as Array<{ name: string, source: string }>).map((setting) => [setting.name, setting])
  )
  t.strictSame([...shown.keys()], settings.map(([name]) => `TABCAST_${name}`))
  t.match(shown.get('TABCAST_PORT'), {
    value: 1234,
    source: 'environment',
    default: 8080,
    rule: 'must be an integer from 0 to 65535',
    description: /Port/
  })
  t.match(shown.get('TABCAST_WORKERS'), { value: 3, source: 'file' })
  t.match(shown.get('TABCAST_HOST'), { value: '127.0.0.1', source: 'default' })
  t.match(shown.get('TABCAST_NATS_TOKEN'), { value: '<set, not shown>', source: 'environment' })
  const text = (await runTabcast(['config'], env)).stdout
  t.match(text, /TABCAST_PORT=1234\n .* From the environment\.\n/)
  t.match(text, /TABCAST_WORKERS=3\n .* From the file of TABCAST_CONFIG\.\n/)
  t.match(text, /TABCAST_HOST=127\.0\.0\.1\n .* Not set\.\n/)
  t.notMatch(stdout + text, 'canary-of-the-queue')
  t.equal((await runTabcast(['config', '--yaml'])).status, 64)
})
