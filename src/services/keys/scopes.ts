/**
 * What a key may do; each route names the scope that it needs. `admin` applies to the whole deployment, all others to
 * the key's own tenant.
 */
export const scopes = [
  'forecast',
  'tabular',
  'agent',
  'jobs:read',
  'jobs:delete',
  'storage',
  'connections',
  'models',
  'sandbox',
  'admin',
  'keys:write',
  'webhooks',
  'audit:read'
] as const
export type Scope = typeof scopes[number]

/** These scopes grant access, announce events or show who did what, so they are never given by default. */
const namedOnly: ReadonlySet<Scope> = new Set(['sandbox', 'admin', 'keys:write', 'webhooks', 'audit:read'])

/** Default scopes of a new key: everything that a tenant does with its own data. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => !namedOnly.has(scope))

/** Invalid input of the operator (command line, static map). The message names the value and the rule. */
export class KeyInputError extends Error {
  override name = 'KeyInputError'
}

export function checkScopes (names: readonly string[]): Scope[] {
  if (names.length === 0) throw new KeyInputError('a key needs at least one scope')
  const unique = new Set<Scope>()
  for (const name of names) {
    const scope = scopes.find((known) => known === name)
    if (scope === undefined) {
      throw new KeyInputError(`scope ${JSON.stringify(name)}: must be one of ${scopes.join(', ')}`)
    }
    unique.add(scope)
  }
  if (unique.has('sandbox') && unique.size > 1) {
    throw new KeyInputError(
      'scope sandbox: a key that has it is seen by everybody, so it has no other scope; make two keys'
    )
  }
  return [...unique]
}

/** The owner of sandbox keys and their jobs. No tenant can have this name, because slugs have no "_". */
export const sandboxTenant = '_sandbox'

/** Releases before the sandbox allowed its scope beside others. Such keys stay keys of their tenant. */
export function isSandboxKey (scopes: readonly string[]): boolean {
  return scopes.length === 1 && scopes[0] === 'sandbox'
}

/** A sandbox key has no tenant, because a tenant could revoke it and so disable the page that everybody uses. */
export function checkNoTenant (tenant: unknown): string {
  if (tenant === undefined) return sandboxTenant
  const given = JSON.stringify(tenant)
  throw new KeyInputError(`tenant ${given}: a key with the scope sandbox belongs to no tenant; leave the tenant out`)
}

export const tenantShape = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Slugs of keys without a tenant. No tenant can have such a name. */
const ownTenantShape = /^key-[0-9a-f]{16}$/

/** The slug under which a key without a tenant keeps its data. `digest` is hex and reveals nothing about the key. */
export function ownTenant (digest: string): string {
  return `key-${digest.slice(0, 16)}`
}

/** Tenant slugs are parts of object keys and record keys, so their alphabet is small. */
export function checkTenant (tenant: unknown): string {
  if (tenant === undefined) {
    throw new KeyInputError('the tenant is missing: only a key with the scope sandbox belongs to none')
  }
  if (typeof tenant !== 'string' || !tenantShape.test(tenant)) {
    throw new KeyInputError(
      `tenant ${JSON.stringify(tenant)}: 1 to 63 of a-z, 0-9 and "-", not starting or ending with "-"`
    )
  }
  if (ownTenantShape.test(tenant)) {
    throw new KeyInputError(`tenant ${JSON.stringify(tenant)}: reserved for keys without a tenant`)
  }
  return tenant
}
