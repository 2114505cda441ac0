/*
 * Makes dist-package/tabcast-VERSION-PLATFORM.tar.gz: the service for machines that have Node.js and nothing else of
 * this repository, no network included. Needs what `make build` and `make setup` make; the same inputs give the same
 * bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync,
  writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyProductionPackages } from './production-packages.mjs'
import { linkedDocuments } from './linked-documents.mjs'
import { thirdPartyText } from './third-party.mjs'

const root = join(import.meta.dirname, '..')
process.chdir(root)
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const run = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 })

/** What /health reports; an export without .git has to say it. */
function commit () {
  return process.env.COMMIT || run('git', 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*').trim()
}

/** Seconds; every file of the archive gets it. */
function sourceTime () {
  return process.env.SOURCE_DATE_EPOCH || run('git', 'log', '-1', '--format=%ct').trim()
}

function addonPlatform () {
  const addons = readdirSync('bindings').filter((name) => name.endsWith('.node'))
  const platform = /^index\.(.+)\.node$/.exec(addons[0] ?? '')?.[1]
  if (addons.length !== 1 || platform === undefined) {
    throw new Error(`bindings has ${addons.length} addons, not one: run \`make build\``)
  }
  return platform
}

const platform = addonPlatform()
const name = `${manifest.name}-${manifest.version}-${platform}`
const work = join('.cache', 'package')
const staging = join(work, name)
const at = (...parts) => join(staging, ...parts)
rmSync(work, { recursive: true, force: true })
mkdirSync(at('bin'), { recursive: true })

// Compiled anew: dist may hold what an earlier source left behind.
run('node', join('scripts', 'bundle.mjs'), at('dist'), '--no-source-maps')
cpSync(join('dist', 'docs'), at('dist', 'docs'), { recursive: true, filter: (from) => basename(from) !== '.stamp' })
// The demonstration is for a checkout, which has its data.
rmSync(at('dist', 'commands', 'demo'), { recursive: true })
const packages = copyProductionPackages(staging, platform)

const { findNatsServer } = await import(join(root, at('dist', 'platform', 'queue', 'find-nats-server.js')))
const ofSetup = join('.tools', 'nats', 'bin', 'nats-server')
const nats = await findNatsServer(process.env.TABCAST_NATS_SERVER || (existsSync(ofSetup) ? ofSetup : ''))
cpSync(nats.path, at('bin', 'nats-server'))

const addon = `index.${platform}.node`
mkdirSync(at('bindings'))
cpSync(join('bindings', 'index.cjs'), at('bindings', 'index.cjs'))
cpSync(join('bindings', addon), at('bindings', addon))
// The line tables of nine tenths of its size; the names of functions stay.
run('strip', '--strip-debug', at('bindings', addon))
const glibc = [...readFileSync(at('bindings', addon), 'latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) =>
  Number(minor)
)

// What a reader is sent to, and the clients, which install from this folder without a network.
const clients = ['clients/python/pyproject.toml', 'clients/python/build_wheel.py', 'clients/python/src',
  'clients/typescript/package.json', 'clients/typescript/src']
if (!existsSync('clients/typescript/dist/index.js')) {
  throw new Error('clients/typescript is not compiled: run `make build`')
}
for (const path of [...linkedDocuments('README.md'), ...linkedDocuments('deploy/README.md'), ...clients,
  'clients/typescript/dist']) {
  cpSync(path, at(path), { recursive: true, filter: (from) => basename(from) !== '__pycache__' })
}
for (const file of ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy']) {
  cpSync(file, at(file), { recursive: true })
}
const { version, description, license, type, engines, imports } = manifest
writeFileSync(at('package.json'),
  JSON.stringify({ name: manifest.name, version, description, license, private: true, type, engines, imports }, null,
    2) + '\n')
writeFileSync(at('commit'), commit() + '\n')
writeFileSync(at('THIRD-PARTY.txt'), thirdPartyText({ packages, nats, triple: process.env.CARGO_BUILD_TARGET }))
cpSync('tabcast', at('tabcast'))
for (const program of ['tabcast', 'bin/nats-server']) chmodSync(at(program), 0o755)

const archive = join('dist-package', `${name}.tar.gz`)
mkdirSync('dist-package', { recursive: true })
run('tar', '-C', work, '--sort=name', '--format=ustar', `--mtime=@${sourceTime()}`, '--owner=0', '--group=0',
  '--numeric-owner', '--mode=u=rwX,go=rX', '--use-compress-program=gzip -n -9', '-cf', archive, name)
const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
writeFileSync(`${archive}.sha256`, `${digest}  ${basename(archive)}\n`)

const megabytes = (path) => (statSync(path).size / 1e6).toFixed(1)
process.stdout.write([
  `${archive}  ${megabytes(archive)} MB  sha256 ${digest}`,
  `  ${packages.length} npm packages, addon ${megabytes(at('bindings', addon))} MB${
    glibc.length === 0 ? '' : ` (glibc 2.${Math.max(...glibc)} or newer)`
  }, nats-server ${nats.version}, commit ${readFileSync(at('commit'), 'utf8')}`
].join('\n'))
