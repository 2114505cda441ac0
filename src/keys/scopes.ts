/** What a key may do; routes name the one they need. */
export const scopes = [
  'forecast', 'tabular', 'agent', 'jobs:read', 'jobs:delete', 'storage', 'connections', 'models', 'sandbox', 'admin'
] as const
export type Scope = typeof scopes[number]

/** What a key gets when nothing is said: all that a tenant does with its own data. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'sandbox' && scope !== 'admin')

/** Thrown for input of the operator (command line, static map): the message names the value and the rule. */
export class KeyInputError extends Error {
  override name = 'KeyInputError'
}

export function checkScopes (names: readonly string[]): Scope[] {
  if (names.length === 0) throw new KeyInputError('a key needs at least one scope')
  const unique = new Set<Scope>()
  for (const name of names) {
    const scope = scopes.find((known) => known === name)
    if (scope === undefined) throw new KeyInputError(`scope ${JSON.stringify(name)}: must be one of ${scopes.join(', ')}`)
    unique.add(scope)
  }
  return [...unique]
}

const tenantShape = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A tenant slug is part of object keys and record keys, so its alphabet is small. */
export function checkTenant (tenant: unknown): string {
  if (typeof tenant !== 'string' || !tenantShape.test(tenant)) {
    throw new KeyInputError(`tenant ${JSON.stringify(tenant)}: 1 to 63 of a-z, 0-9 and "-", not starting or ending with "-"`)
  }
  return tenant
}
