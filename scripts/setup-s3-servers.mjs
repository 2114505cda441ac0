/*
 * Brings the S3 servers that the tests of the object store run against into .tools/s3/bin, in this order: the
 * environment, .tools, PATH, go. Without them a laptop still tests the rest; CI fails. Plain JavaScript without
 * dependencies, as it runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { once } from 'node:events'

/** The last release of MinIO's server, which has no tag that go accepts, and of another implementation. */
const servers = [
  {
    name: 'minio',
    variable: 'TABCAST_TEST_MINIO',
    module: 'github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c'
  },
  { name: 'versitygw', variable: 'TABCAST_TEST_VERSITYGW', module: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' }
]

const folder = join(import.meta.dirname, '..', '.tools', 's3')
const target = join(folder, 'bin')
const refusals = []

const say = (text) => process.stdout.write(`s3 servers: ${text}\n`)

/** True when the binary runs; otherwise the reason is kept for the message at the end. */
function accepts (path, where) {
  const { status, error } = spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 })
  if (status === 0) {
    say(`${path} from ${where}`)
    return true
  }
  refusals.push(`${where}: ${path} does not run (${error?.message ?? `exit code ${status}`})`)
  return false
}

function fromEnvironment ({ variable }) {
  const path = process.env[variable]
  if (!path) return false
  if (accepts(path, variable)) return true
  // A named binary that is not usable is a mistake to report, not to paper over with another one.
  fail(1)
}

function fromTools ({ name }) {
  const path = join(target, name)
  return existsSync(path) && accepts(path, '.tools')
}

function fromPath ({ name }) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => existsSync(join(folder, name)) && accepts(join(folder, name), 'PATH'))
}

/** Nothing is linked against the machine's C library, and nothing of the build's folder stays in the binary. */
async function fromGo ({ name, module }) {
  say(`building ${module} with go, one to three minutes`)
  const child = spawn('go', ['install', '-trimpath', '-ldflags=-s -w', module], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: target }
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-4000)
  })
  try {
    const [code] = await once(child, 'close')
    if (code === 0) return accepts(join(target, name), 'go')
    refusals.push(`go: ${errors.trim().split('\n').at(-1)}`)
  } catch (error) {
    refusals.push(`go: ${error.message}`)
  }
  return false
}

function fail (code) {
  process.stderr.write([
    '',
    '************************************************************************************************',
    `S3 servers are missing: ${missing.map(({ name }) => name).join(', ')}. Tried:`,
    ...refusals.map((line) => `  ${line}`),
    `Install Go 1.26 and run this again, or set ${servers.map(({ variable }) => variable).join(' and ')} to binaries.`,
    code === 0 ? 'The tests of the S3 object store are SKIPPED on this machine.' : 'CI does not pass without them.',
    '************************************************************************************************',
    ''
  ].join('\n'))
  process.exit(code)
}

mkdirSync(target, { recursive: true })
let missing = servers
missing = missing.filter((server) => ![fromEnvironment, fromTools, fromPath].some((way) => way(server)))
// One after the other: each of the builds uses every core.
for (const server of [...missing]) {
  if (await fromGo(server)) missing = missing.filter((other) => other !== server)
}
if (missing.length > 0) fail(process.env.CI ? 1 : 0)
// Only when all are there, so that the next run tries again.
writeFileSync(join(folder, '.stamp'), '')
