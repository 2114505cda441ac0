// Fails if test/fuzz/Cargo.lock no longer fits the manifests of the fuzz targets and of the crates that they use: a
// crate that is new, gone, of another version or with another dependency. `cargo build --locked` finds the same and
// more, once it has fetched every crate; this needs no network.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const lockFile = 'test/fuzz/Cargo.lock'

/** The packages of a workspace by name, as their manifests say, with what they inherit from the workspace. */
function packagesOf (manifest) {
  const command = ['metadata', '--no-deps', '--offline', '--format-version', '1', '--manifest-path', manifest]
  const { packages } = JSON.parse(execFileSync('cargo', command, { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  return new Map(packages.map((one) => [one.name, one]))
}

/** Name -> what the lock file has of it: one entry for each version. */
function lockedPackages (text) {
  const locked = new Map()
  for (const block of text.split('[[package]]\n').slice(1)) {
    const [, name, version] = /^name = "(.+)"\nversion = "(.+)"/.exec(block)
    const dependencies = [...block.matchAll(/^ "(\S+?)(?: (\S+))?"/gm)].map(([, name, version]) => ({ name, version }))
    locked.set(name, [...locked.get(name) ?? [], { version, dependencies }])
  }
  return locked
}

/** The part of a version that compatible ones share: 1 of 1.2.3, 0.16 of 0.16.1. */
const line = (version) => /^(?:0\.)*\d+/.exec(version)?.[0]

const crates = packagesOf('Cargo.toml')
const locked = lockedPackages(readFileSync(lockFile, 'utf8'))
const faults = []
const [fuzz] = packagesOf('test/fuzz/Cargo.toml').values()
const seen = new Set([fuzz.name])
for (const name of seen) {
  const manifest = name === fuzz.name ? fuzz : crates.get(name)
  const [entry] = locked.get(name) ?? []
  if (entry?.version !== manifest.version) faults.push(`${name} is ${manifest.version}, and there ${entry?.version}`)
  // A crate's own tests are no matter of those who use it.
  const wanted = manifest.dependencies.filter(({ kind }) => kind !== 'dev' || name === fuzz.name)
  for (const { name: used, req, path, optional } of wanted) {
    const found = entry?.dependencies.find((one) => one.name === used)
    if (found === undefined && optional) continue
    if (path !== undefined && path !== null) seen.add(used)
    const version = found?.version ?? locked.get(used)?.[0].version
    if (found === undefined) faults.push(`${name} uses ${used}, and there it does not`)
    else if (req !== '*' && line(req.slice(1)) !== line(version)) {
      faults.push(`${name} uses ${used} ${req}, and there ${version}`)
    }
  }
  for (const { name: used } of entry?.dependencies ?? []) {
    if (!wanted.some((one) => one.name === used)) faults.push(`${name} does not use ${used}, and there it does`)
  }
}
if (faults.length > 0) {
  console.error(faults.map((fault) => `${lockFile}: ${fault}`).join('\n'))
  console.error('Run `cargo update --workspace --manifest-path test/fuzz/Cargo.toml` and commit it.')
  process.exit(1)
}
