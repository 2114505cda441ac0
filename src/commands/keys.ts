import type { Config } from '../config.ts'
import { parseDurationMs } from '../keys/duration.ts'
import { connectKeySocket, type KeyAdministration } from '../keys/key-administration.ts'
import type { NewKey } from '../keys/key-service.ts'
import { KeyInputError } from '../keys/scopes.ts'
import { reachData } from './reach-data.ts'

export interface KeysCommandOptions {
  tenant?: string | undefined
  scopes?: string | undefined
  expires?: string | undefined
  overlap?: string | undefined
  name?: string | undefined
}

/**
 * `tabcast keys ...`: through the socket of the running api, or on the data folder itself when no api runs. False: not a
 * known form of the command.
 */
export async function runKeysCommand (
  config: Config, action: string | undefined, id: string | undefined, options: KeysCommandOptions, print: (line: string) => void
): Promise<boolean> {
  if (action === 'create' && options.tenant !== undefined) {
    const request = newKey(options.tenant, options)
    await withKeys(config, async (keys) => {
      const { key, summary } = await keys.create(request)
      print(`key ${summary.id} of tenant ${summary.tenant}, scopes ${summary.scopes.join(',')}; it is shown only now:`)
      print(key)
    })
    return true
  }
  if (action === 'list') {
    await withKeys(config, async (keys) => {
      for (const key of await keys.list()) {
        const state = key.revokedAtMs !== null ? `revoked ${time(key.revokedAtMs)}` : key.expiresAtMs !== null ? `expires ${time(key.expiresAtMs)}` : 'active'
        print([key.id, key.tenant, key.scopes.join(','), `created ${time(key.createdAtMs)}`, `last used ${time(key.lastUsedAtMs)}`, state, key.name ?? ''].join('  ').trimEnd())
      }
    })
    return true
  }
  if (action === 'rotate' && id !== undefined) {
    await withKeys(config, async (keys) => {
      const { key, summary } = await keys.rotate(id, options.overlap === undefined ? {} : { overlapMs: parseDurationMs(options.overlap) })
      print(`key ${summary.id} of tenant ${summary.tenant} has a new secret; the old one keeps working for ${options.overlap ?? '24h'}:`)
      print(key)
    })
    return true
  }
  if (action === 'revoke' && id !== undefined) {
    await withKeys(config, async (keys) => {
      if (!await keys.revoke(id)) throw new KeyInputError(`no such key: ${id}`)
      print(`key ${id} is revoked`)
    })
    return true
  }
  return false
}

function newKey (tenant: string, { scopes, expires, name }: KeysCommandOptions): NewKey {
  const key: NewKey = { tenant }
  if (scopes !== undefined) key.scopes = scopes.split(',').map((scope) => scope.trim()).filter((scope) => scope !== '')
  if (expires !== undefined) key.expiresAtMs = Date.now() + parseDurationMs(expires)
  if (name !== undefined) key.name = name
  return key
}

function time (ms: number | null): string {
  return ms === null ? 'never' : new Date(ms).toISOString()
}

async function withKeys (config: Config, work: (keys: KeyAdministration) => Promise<void>): Promise<void> {
  await reachData(config, async (socket) => {
    const running = await connectKeySocket(socket)
    if (running === undefined) return false
    await work(running)
    return true
  }, async ({ keys: { create, rotate, revoke, list } }) => await work({ create, rotate, revoke, list: async () => list() }))
}
