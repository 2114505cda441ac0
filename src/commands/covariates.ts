import { ConfigError, loadConfig } from '../platform/config.ts'
import { importBundle } from '../sources/covariates/bundle/import-bundle.ts'
import { readMirrorConfig } from '../sources/covariates/bundle/mirror-config.ts'
import { writeBundle } from '../sources/covariates/bundle/write-bundle.ts'
import { catalogStatus, type CatalogStatus, type KeyStatus } from '../sources/covariates/catalog/catalog-status.ts'
import { configuredRegistry } from '../sources/covariates/provider-registry.ts'

interface Options {
  config?: string | undefined
  out?: string | undefined
  replace?: boolean | undefined
  json?: boolean | undefined
}
type Print = (text: string) => Promise<void>

/** `tabcast covariates mirror | import | status`: returns the exit code; null for wrong usage. */
export async function runCovariatesCommand (positionals: readonly string[], options: Options,
  print: Print): Promise<number | null> {
  const [action, path, ...more] = positionals
  const given = Object.keys(options)
  const takes = (...names: string[]) => more.length === 0 && given.every((name) => names.includes(name))
  if (action === 'mirror' && path === undefined && takes('config', 'out') && options.config !== undefined &&
    options.out !== undefined) return await mirrorCommand(options.config, options.out, print)
  if (action === 'import' && path !== undefined && takes('replace')) {
    return await importCommand(path, options.replace ?? false, print)
  }
  if (action === 'status' && path === undefined && takes('json')) {
    return await statusCommand(options.json ?? false, print)
  }
  return null
}

async function mirrorCommand (configPath: string, out: string, print: Print): Promise<number> {
  const config = loadConfig()
  if (config.EGRESS === 'none') {
    throw new ConfigError('TABCAST_EGRESS=none: this machine makes no requests to the outside; mirror on one that does')
  }
  if (config.COVARIATES_FILE === '') {
    throw new ConfigError(
      'TABCAST_COVARIATES_FILE is not set: it names the JSON file of the providers (the README of ' +
        'src/sources/covariates shows one)'
    )
  }
  const lines: string[] = []
  // Without the mounted bundles, which are not mirrored.
  const registry = configuredRegistry({ ...config, COVARIATES_DIR: '' },
    ({ message }) => lines.push(`TABCAST_COVARIATES_CACHE=${config.COVARIATES_CACHE}: ${message}`))
  const wanted = await readMirrorConfig(configPath)
  const { sha256, bytes, keys } = await writeBundle({
    config: wanted,
    registry,
    path: out,
    nowMs: Date.now(),
    signal: new AbortController().signal,
    print: (line) => lines.push(line)
  })
  await print([...lines, `${out}: ${keys} folders, ${bytes} bytes, sha256 ${sha256}`].join('\n'))
  return 0
}

/** The folder of the catalogue. Throws ConfigError when none is set. */
function catalogDirectory (): string {
  const { COVARIATES_DIR: directory } = loadConfig()
  if (directory === '') throw new ConfigError('TABCAST_COVARIATES_DIR is not set: it names the folder of the catalogue')
  return directory
}

async function importCommand (bundlePath: string, replaces: boolean, print: Print): Promise<number> {
  const directory = catalogDirectory()
  const imported = await importBundle({ bundlePath, directory, replaces })
  const changed = imported.filter(({ action }) => action !== 'unchanged' && action !== 'older').length
  const note = {
    added: 'added',
    replaced: 'replaced',
    merged: 'merged',
    unchanged: 'unchanged',
    older: 'unchanged: the catalogue has a newer one'
  }
  await print(
    [...imported.map(({ path, action }) => `${path}: ${note[action]}`),
      `${directory}: ${changed} of ${imported.length} folders changed`].join('\n')
  )
  return 0
}

async function statusCommand (isJson: boolean, print: Print): Promise<number> {
  const status = await catalogStatus(catalogDirectory(), Date.now())
  await print(isJson ? JSON.stringify(status, null, 2) : tableOf(status))
  return status.keys.some(({ damage }) => damage !== null) ? 1 : 0
}

function tableOf ({ directory, generation, keys, ignored }: CatalogStatus): string {
  const damaged = keys.filter(({ damage }) => damage !== null)
  const rows = [['KIND', 'PROVIDER', 'KEY', 'VARIABLES', 'COVERAGE', 'AGE', 'VINTAGES', 'BYTES', 'LICENCE'],
    ...keys.map(cellsOf)]
  const widths =
    rows[0]?.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0)) ?? []
  return [
    ...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()),
    ...ignored.map((name) => `not read: ${name}`),
    `${directory}${generation === null ? '' : ` (${generation})`}: ${keys.length} folders, ${damaged.length} damaged`
  ].join('\n')
}

function cellsOf (
  { kind, provider, key, damage, variables = [], coverage, age_days: ageDays, vintages, bytes, license = '' }: KeyStatus
): string[] {
  const names = variables.length > 4
    ? `${variables.slice(0, 4).join(',')} and ${variables.length - 4} more`
    : variables.join(',')
  if (damage !== null || coverage === undefined) return [kind, provider, key, `DAMAGED: ${damage ?? ''}`].map(printable)
  const day = (time: string) => time.slice(0, 10)
  return [kind, provider, key, names, `${day(coverage.start)}..${day(coverage.end)}`, `${ageDays ?? 0} d`,
    vintages === true ? 'yes' : 'no', String(bytes ?? 0), license].map(printable)
}

/** Names come from folders and manifests, so control characters must not reach the terminal. */
function printable (cell: string): string {
  return cell.replace(/\p{C}/gu, '?')
}
