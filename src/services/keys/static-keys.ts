import { readFileSync } from 'node:fs'
import { watchFile } from '../../platform/disk/watch-file.ts'
import { checkScopes, checkTenant, defaultScopes, KeyInputError, type Scope } from './scopes.ts'

/** A key of the static map, which only a change of the file can change. */
export interface StaticKeySummary {
  /** 8 characters of its digest. */
  id: string
  /** null: the key belongs to no tenant and has data of its own. */
  tenant: string | null
  scopes: readonly Scope[]
}

export interface StaticKeys {
  /** Finds a key by `digest(key)`, so that the map holds no secret and the time of a look-up reveals nothing. */
  find(digest: string): StaticKeySummary | undefined
  findById(id: string): StaticKeySummary | undefined
  /** Those of the tenant, or all, in the order of the file. */
  list(tenant: string | null): readonly StaticKeySummary[]
  close(): void
}

/** The file may have thousands of keys, and a tenant's request must not walk all of them. */
interface Index {
  all: StaticKeySummary[]
  byDigest: Map<string, StaticKeySummary>
  byId: Map<string, StaticKeySummary>
  byTenant: Map<string, StaticKeySummary[]>
}

export interface StaticKeysOptions {
  path: string
  digest: (key: string) => string
  /** Called after each reload that took effect. */
  onChange: () => void
  /** Called when the changed file is invalid; the previous map stays in force. */
  onError: (error: Error) => void
}

/**
 * Watches the operator's JSON map of key to tenant slug, or to `{ tenant, scopes }`; a null tenant means none. An
 * invalid file stops start-up.
 */
export function watchStaticKeys ({ path, digest, onChange, onError }: StaticKeysOptions): StaticKeys {
  const file = watchFile({ path, read: (path) => readStaticKeys(path, digest), onChange, onError })
  return {
    find: (value) => file.value().byDigest.get(value),
    findById: (id) => file.value().byId.get(id),
    list: (tenant) => tenant === null ? file.value().all : file.value().byTenant.get(tenant) ?? [],
    close: () => file.close()
  }
}

/** Throws KeyInputError. */
export function readStaticKeys (path: string, digest: (key: string) => string): Index {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    // The parser's message quotes the text, which contains keys.
    if (cause instanceof SyntaxError) {
      throw new KeyInputError(`static keys file ${path}: is not JSON; it looks like {"KEY": "tenant"}`)
    }
    throw new KeyInputError(`static keys file ${path}: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new KeyInputError(`static keys file ${path}: must be a JSON object of key to tenant`)
  }
  const byDigest = new Map<string, StaticKeySummary>()
  let position = 0
  for (const [key, value] of Object.entries(parsed)) {
    position++
    try {
      if (!/^[\x21-\x7e]{8,512}$/.test(key)) {
        throw new KeyInputError('a key is 8 to 512 printable characters without blanks')
      }
      const digested = digest(key)
      byDigest.set(digested, { id: digested.slice(0, 8), ...readEntry(value) })
    } catch (cause) {
      // The key is a secret, so the message names its position.
      throw new KeyInputError(`static keys file ${path}, entry ${position}: ${(cause as Error).message}`, { cause })
    }
  }
  return indexOf(byDigest)
}

function indexOf (byDigest: Map<string, StaticKeySummary>): Index {
  const all = [...byDigest.values()]
  const byTenant = new Map<string, StaticKeySummary[]>()
  for (const key of all) {
    if (key.tenant === null) continue
    const own = byTenant.get(key.tenant)
    if (own === undefined) byTenant.set(key.tenant, [key])
    else own.push(key)
  }
  return { all, byDigest, byId: new Map(all.map((key) => [key.id, key])), byTenant }
}

function readEntry (value: unknown): Pick<StaticKeySummary, 'tenant' | 'scopes'> {
  if (typeof value !== 'object' || value === null) return { tenant: checkTenant(value), scopes: defaultScopes }
  const { tenant, scopes, ...rest } = value as { tenant?: unknown, scopes?: unknown }
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) {
    throw new KeyInputError(`unknown field ${JSON.stringify(unknown)}; only tenant and scopes are known`)
  }
  const checked = tenant === null ? null : checkTenant(tenant)
  if (scopes === undefined) return { tenant: checked, scopes: defaultScopes }
  if (!Array.isArray(scopes)) throw new KeyInputError('scopes must be an array')
  return { tenant: checked, scopes: checkScopes(scopes.map(String)) }
}
