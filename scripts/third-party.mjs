import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const licenceFile = /^(licen[cs]e|notice|copying|copyright|unlicense)/i

/**
 * The licences of everything in the package that others wrote: npm packages (folders), the crates of the addon for a
 * target triple, and the nats-server with its Go modules.
 */
export function thirdPartyText ({ packages, nats, triple }) {
  return [
    'Software of others in this package, with its licences. Data of others: see NOTICE. Scripts of others in ' +
    'the pages under dist/docs: see dist/docs/licences.txt.',
    ...listed([...packages.map(npmPart), ...crates(triple).map(cratePart)]),
    [rule, goLicences(nats)].join('\n')
  ].join('\n') + '\n'
}

/** The licences of npm packages (folders). Throws for one that has another licence than the allowed ones. */
export function npmLicences (folders, allowed) {
  const parts = folders.map(npmPart)
  const refused = parts.filter(({ licence }) => !allowed.has(licence))
  if (refused.length > 0) {
    throw new Error(`not an allowed licence: ${refused.map(({ title, licence }) => `${title} ${licence}`).join(', ')}`)
  }
  return ['Software of others in the scripts of these pages, with its licences.', ...listed(parts)].join('\n') + '\n'
}

const rule = '-'.repeat(100)

/** A line for each part, then each text, once for the many that share it. */
function listed (parts) {
  const holders = new Map()
  for (const { title, texts } of parts) {
    for (const text of texts) holders.set(text, [...(holders.get(text) ?? []), title])
  }
  return [
    ...parts.map(({ title, licence, address }) => `${title}  ${licence}  ${address}`.trimEnd()),
    ...[...holders].map(([text, titles]) => [rule, titles.join('\n'), '', text].join('\n'))
  ]
}

function textsIn (folder, author) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isFile() && licenceFile.test(entry.name)
  ).map(({ name }) => name).sort()
  if (names.length === 0) return [`No licence text is in what was published.${author ? ` Author: ${author}` : ''}`]
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
}

function npmPart (folder) {
  const { name, version, license, repository, homepage, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8')
  )
  if (!license) throw new Error(`${folder} names no licence`)
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? ''
  return {
    title: `npm ${name} ${version}`,
    licence: license.type ?? license,
    address,
    texts: textsIn(folder, author?.name ?? author)
  }
}

function cratePart ({ name, version, license, license_file: file, repository, authors, manifest_path: manifest }) {
  if (!license && !file) throw new Error(`crate ${name} names no licence`)
  return {
    title: `crate ${name} ${version}`,
    licence: license ?? `see ${file}`,
    address: repository ?? '',
    texts: textsIn(dirname(manifest), authors.join(', '))
  }
}

/** What is linked into the addon: normal dependencies, at any depth, that are not of this workspace. */
function crates (triple) {
  const { packages, resolve, workspace_members: ours } = JSON.parse(execFileSync('cargo', [
    'metadata',
    '--locked',
    '--format-version=1',
    ...(triple ? [`--filter-platform=${triple}`] : [])
  ], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] }))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const byId = new Map(packages.map((found) => [found.id, found]))
  const addon = ours.find((id) => dirname(byId.get(id).manifest_path) === join(process.cwd(), 'bindings'))
  const linked = new Set([addon])
  for (const id of linked) {
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (kinds.some(({ kind }) => kind === null)) linked.add(pkg)
    }
  }
  const compare = (a, b) => a.name < b.name || (a.name === b.name && a.version < b.version) ? -1 : 1
  return [...linked].filter((id) => !ours.includes(id)).map((id) => byId.get(id)).sort(compare)
}

/**
 * The file is written by hand, as the binary carries names of modules and no licences: another module in it is an
 * error.
 */
function goLicences ({ path, version }) {
  const file = join(import.meta.dirname, 'licences', 'nats-server.txt')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const modules = [
    ...new Set(
      [...readFileSync(path, 'latin1').matchAll(/\n(?:mod|dep)\t(\S+)\t(\S+)\t/g)].map(([, name, release]) =>
        `${name} ${release}`
      )
    )
  ].sort()
  const unknown = modules.filter((line) => !text.includes(`\n${line.split(' ')[0]}\n`))
  if (modules.length === 0 || unknown.length > 0) {
    throw new Error(`scripts/licences/nats-server.txt lacks the licence of ${unknown.join(', ') || 'every module'}`)
  }
  return [`nats-server ${version}, with these Go modules:`, ...modules.map((line) => `  ${line}`), '', text.trim()]
    .join('\n')
}
