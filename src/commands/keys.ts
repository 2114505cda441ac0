import { existsSync } from 'node:fs'
import { dataPaths, type Config } from '../platform/config.ts'
import { parseDurationMs } from '../services/keys/duration.ts'
import { connectKeySocket, type KeyAdministration } from '../services/keys/key-administration.ts'
import type { KeySummary } from '../services/keys/key-record.ts'
import type { NewKey } from '../services/keys/key-service.ts'
import { isSandboxKey, KeyInputError, sandboxTenant } from '../services/keys/scopes.ts'
import type { HoldOptions } from './data-folder.ts'
import { printable } from './printable.ts'
import { reachData } from './reach-data.ts'
import { UsageError } from './usage-error.ts'

export interface KeysCommandOptions {
  tenant?: string | undefined
  scopes?: string | undefined
  expires?: string | undefined
  overlap?: string | undefined
  name?: string | undefined
  all?: boolean | undefined
}

/** `print`: the result. `note`: further information for the operator. */
export interface KeysOutput {
  print: (line: string) => void
  note: (line: string) => void
}

/**
 * `tabcast keys ...`: through the socket of the running api, or on the data folder itself when no api runs. Throws a
 * UsageError for wrong usage; false when no form of the command is named.
 */
export async function runKeysCommand (
  config: Config,
  action: string | undefined,
  id: string | undefined,
  options: KeysCommandOptions,
  { print, note }: KeysOutput
): Promise<boolean> {
  if (action === undefined) return false
  // Before the data folder is opened, so that wrong usage changes nothing.
  const work = workOf(action, id, options)
  // Only `create` may create the data folder.
  if (action !== 'create' && !existsSync(config.DATA_DIR)) {
    throw new Error(
      `TABCAST_DATA_DIR=${config.DATA_DIR}: there is no such folder, so it has no keys; name the data folder of ` +
        'the service'
    )
  }
  await reachKeys(config, note, async (keys) => await work(keys, print), { withoutSecrets: work === revokeAll })
  return true
}

type Work = (keys: KeyAdministration, print: KeysOutput['print']) => Promise<void>

function workOf (action: string, id: string | undefined, options: KeysCommandOptions): Work {
  switch (action) {
    case 'create':
      return create(options)
    case 'list':
      return list
    case 'rotate':
      return rotate(wantedId(action, id), options.overlap)
    case 'revoke':
      if (options.all === true && id !== undefined) throw new UsageError('keys revoke: an ID, or --all')
      return options.all === true ? revokeAll : revoke(wantedId(action, id))
    default:
      throw new UsageError(`keys ${action}: no such action; create, list, rotate and revoke are`)
  }
}

function create (options: KeysCommandOptions): Work {
  const request = newKey(options)
  if (options.tenant === undefined && !isSandboxKey(request.scopes ?? [])) {
    throw new UsageError('keys create: --tenant NAME is missing; only a key with --scopes sandbox has none')
  }
  return async (keys, print) => {
    const { key, summary } = await keys.create(request)
    print(`key ${summary.id} of ${ownerOf(summary)}, scopes ${summary.scopes.join(',')}; it will not be shown again:`)
    print(key)
  }
}

const list: Work = async (keys, print) => {
  for (const line of table(await allKeys(keys))) print(line)
}

function rotate (id: string, overlap: string | undefined): Work {
  return async (keys, print) => {
    const { key, summary } = await keys.rotate(id, overlap === undefined ? {} : { overlapMs: parseDurationMs(overlap) })
    print(
      `key ${summary.id} of ${ownerOf(summary)} has a new secret; the old one keeps working for ${overlap ?? '24h'}:`
    )
    print(key)
  }
}

function revoke (id: string): Work {
  return async (keys, print) => {
    if (!await keys.revoke(id)) {
      const revokedAtMs = (await keys.find(id))?.revokedAtMs ?? null
      throw new KeyInputError(
        revokedAtMs === null ? `no such key: ${id}` : `key ${id} is revoked already, since ${time(revokedAtMs)}`
      )
    }
    print(`key ${id} is revoked`)
  }
}

/** Also works without the secrets of the installation, so that a service that has lost them can start again. */
const revokeAll: Work = async (keys, print) => {
  for (const { id, revokedAtMs } of await allKeys(keys)) {
    if (revokedAtMs === null && await keys.revoke(id)) print(`key ${id} is revoked`)
  }
}

async function allKeys (keys: KeyAdministration): Promise<KeySummary[]> {
  const all: KeySummary[] = []
  for (let page = await keys.list(); page.length > 0; page = await keys.list(page.at(-1)?.id)) all.push(...page)
  return all
}

function wantedId (action: string, id: string | undefined): string {
  if (id === undefined) {
    throw new UsageError(`keys ${action}: the ID of the key is missing (tabcast keys list shows it)`)
  }
  return id
}

function ownerOf ({ tenant }: KeySummary): string {
  return tenant === sandboxTenant ? 'the sandbox' : `tenant ${tenant}`
}

function newKey ({ tenant, scopes, expires, name }: KeysCommandOptions): NewKey {
  const key: NewKey = { tenant }
  if (scopes !== undefined) key.scopes = scopes.split(',').map((scope) => scope.trim()).filter((scope) => scope !== '')
  if (expires !== undefined) key.expiresAtMs = Date.now() + parseDurationMs(expires)
  if (name !== undefined) key.name = name
  return key
}

/** Pads columns to their longest cell. */
function table (keys: KeySummary[]): string[] {
  const rows = [['ID', 'TENANT', 'SCOPES', 'CREATED', 'LAST USED', 'STATE', 'NAME'],
    ...keys.map(({ id, tenant, scopes, createdAtMs, lastUsedAtMs, revokedAtMs, expiresAtMs, name }) => {
      const state = revokedAtMs !== null
        ? `revoked ${time(revokedAtMs)}`
        : expiresAtMs !== null
        ? `expires ${time(expiresAtMs)}`
        : 'active'
      return [id, tenant, scopes.join(','), time(createdAtMs), time(lastUsedAtMs), state, printable(name ?? '')]
    })]
  const widths =
    rows[0]?.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0)) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
}

function time (ms: number | null): string {
  return ms === null ? 'never' : new Date(ms).toISOString()
}

async function reachKeys (config: Config, note: (line: string) => void,
  work: (keys: KeyAdministration) => Promise<void>, options: HoldOptions): Promise<void> {
  const isNew = !existsSync(dataPaths(config).secrets)
  await reachData(config, async (socket) => {
    const running = await connectKeySocket(socket)
    if (running === undefined) return false
    note(`keys of the service that runs on TABCAST_DATA_DIR=${config.DATA_DIR}`)
    await work(running)
    return true
  }, async ({ keys }) => {
    const folder = `TABCAST_DATA_DIR=${config.DATA_DIR}`
    note(
      `no service runs on ${folder}${isNew ? ', a new folder' : ''}. ` +
        'A key from here is valid only for a service that is started on this folder'
    )
    await work({
      create: (request) => keys.create(request),
      rotate: (id, rotation) => keys.rotate(id, rotation),
      revoke: (id) => keys.revoke(id),
      list: async (after) => keys.list(after),
      find: async (id) => keys.find(id)
    })
  }, options)
}
