import { existsSync, readFileSync } from 'node:fs'

const json = /"version": "([^"]+)"/
const toml = /^version = "([^"]+)"/m

/** Where the version stands besides package.json. */
const places = [
  ['package-lock.json', json],
  ['Cargo.toml', toml],
  ['Cargo.lock', /^name = "tabcast-bindings"\nversion = "([^"]+)"/m],
  ['clients/typescript/package.json', json],
  ['clients/python/pyproject.toml', toml],
  ['clients/python/build_wheel.py', /^NAME, VERSION = "tabcast", "([^"]+)"/m],
  ['clients/python/src/tabcast/__init__.py', /^__version__ = "([^"]+)"/m],
  ['deploy/helm/tabcast/Chart.yaml', /^version: (\S+)/m],
  ['deploy/helm/tabcast/Chart.yaml', /^appVersion: (\S+)/m],
  ['deploy/compose.yaml', /\bIMAGE:-tabcast:([^}]+)\}/],
  ['deploy/compose.worker.yaml', /\bIMAGE:-tabcast:([^}]+)\}/],
  ['deploy/kubernetes/shards-job.yaml', /\bimage: tabcast:(\S+)/],
  ['deploy/.env.example', /^IMAGE=tabcast:(\S+)/m],
  ['deploy/Dockerfile.package', /^ARG PACKAGE=tabcast-([\d.]+)-/m],
  ['docs/operate/deploy.md', /\btabcast-([\d.]+)-linux/]
]

/** The version of package.json. */
export function packageVersion () {
  return JSON.parse(readFileSync('package.json', 'utf8')).version
}

/** Where another version stands, and what to write there. */
export function versionProblems () {
  const version = packageVersion()
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`package.json has the version ${version}: write three numbers`]
  return places.flatMap(([path, pattern]) => {
    const found = pattern.exec(existsSync(path) ? readFileSync(path, 'utf8') : '')?.[1]
    if (found === version) return []
    return [found === undefined
      ? `${path} has no version where scripts/release-versions.mjs looks for it (${pattern}): mend one of them`
      : `${path} has the version ${found}, and package.json ${version}: write the same in both`]
  })
}
