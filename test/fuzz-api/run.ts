import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scopes, type Scope } from '../../src/services/keys/scopes.ts'
import { Client, startService } from '../support/service.ts'
import { examplesOf } from './examples.ts'
import { seedResources, type SeededIds } from './seed-resources.ts'

/*
 * node --import=tsx test/fuzz-api/run.ts runs Schemathesis against a service of its own for FUZZ_API_SECONDS (1,200),
 * from FUZZ_API_SEED. Exits with 1 when a check failed, the service lost a process, or its log has a failed request.
 */
const tool = resolve('.tools/schemathesis')
const folder = resolve('.cache/fuzz-api')
const seconds = Number(process.env['FUZZ_API_SECONDS'] ?? 1200)
const seed = Number(process.env['FUZZ_API_SEED'] ?? randomInt(2 ** 31))
const only = process.env['FUZZ_API_ARGS']?.split(' ') ?? []
console.log(`Schemathesis for ${seconds} s; to repeat it: FUZZ_API_SEED=${seed}`)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { users, scoped } = makeKeys()
const service = await startService({
  TABCAST_STATIC_KEYS_FILE: join(folder, 'keys.json'),
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
  TABCAST_FINE_TUNE_MAX_MODELS: '1000'
}, join(folder, 'service'))
let failed: boolean
try {
  const processes = () => [...service.pids('api'), ...service.pids('worker'), ...service.pids('nats')].sort()
  const before = processes()
  const seeded = await seedResources(new Client(service.baseUrl, users.alpha))
  writeConfiguration(seeded, users)
  const status = await fuzz({
    FUZZ_API_KEYS: JSON.stringify({ ...users, scoped }),
    FUZZ_API_SEEDED_IDS: JSON.stringify(Object.values(seeded)),
    FUZZ_API_EXAMPLES: JSON.stringify(examplesOf(seeded))
  })
  const lost = before.filter((pid) => !processes().includes(pid))
  const failures = service.log().split('\n').filter((line) =>
    line.includes('"request failed"') && !line.includes('"code":"connector_error"')
  )
  for (const line of failures.slice(0, 20)) console.log(`the service logged: ${line}`)
  if (lost.length > 0) console.log(`processes that ended: ${lost.join(', ')}; see ${service.folder}/service.log`)
  failed = status !== 0 || lost.length > 0 || failures.length > 0
} finally {
  await service.stop()
}
console.log(
  failed
    ? `failed; reports and the service's log are in ${folder}; FUZZ_API_SEED=${seed} repeats it`
    : 'Schemathesis found nothing'
)
process.exit(failed ? 1 : 0)

/** Keys of the static map: whoever may administer keys cannot revoke these, and the run goes on. */
function makeKeys (): { users: Record<'alpha' | 'beta' | 'admin', string>, scoped: string[] } {
  const map: Record<string, { tenant: string, scopes: readonly Scope[] }> = {}
  const add = (tenant: string, scopes: readonly Scope[]): string => {
    const key = randomBytes(24).toString('base64url')
    map[key] = { tenant, scopes }
    return key
  }
  const tenantScopes = scopes.filter((scope) => scope !== 'sandbox' && scope !== 'admin')
  const users = { alpha: add('alpha', tenantScopes), beta: add('beta', tenantScopes), admin: add('alpha', ['admin']) }
  const scoped = scopes.map((scope) => add('alpha', [scope]))
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(map), { mode: 0o600 })
  return { users, scoped }
}

/** The committed settings, with what only this run knows. */
function writeConfiguration (ids: SeededIds, users: Record<string, string>): void {
  cpSync(join(import.meta.dirname, 'hooks.py'), join(folder, 'hooks.py'))
  const auth = Object.entries(users).map(([name, key]) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }]
  }))
  writeFileSync(join(folder, 'users.json'), JSON.stringify({ auth }))
  const dictionaries = Object.entries(ids).map(([name, id]) =>
    `[dictionaries.${name}]\nvalues = [${JSON.stringify(id)}]\n`
  )
  const parameters = Object.keys(ids).map((name) =>
    `${JSON.stringify(name)} = { dictionary = "${name}", probability = 0.5 }`
  )
  const own = [...dictionaries, '[parameters]', ...parameters, '[auth.wfc]', 'path = "users.json"', 'user = "alpha"',
    'peers = ["alpha", "beta"]']
  writeFileSync(join(folder, 'schemathesis.toml'),
    [readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8'), ...own].join('\n'))
}

async function fuzz (forHooks: Record<string, string>): Promise<number | null> {
  const options = ['--seed', String(seed), '--max-time', String(seconds), '--report', 'junit,ndjson', '--report-dir',
    join(folder, 'reports'), ...only]
  const child = spawn('python3', ['-m', 'schemathesis.cli', 'run', ...options, `${service.baseUrl}/openapi.json`], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONPATH: tool, ...forHooks }
  })
  const [status] = await once(child, 'exit') as [number | null]
  return status
}
