import type { Identity } from './identity.ts'
import type { Scope } from './scopes.ts'

/**
 * Which of these scopes a key may not hand on over HTTP. `admin` never: a stolen key of the deployment could make
 * itself another one, so that its revocation would not end it. Beyond that a key gives no more than it has, unless it
 * is an administrator.
 */
export function scopesNotHandedOn ({ scopes: own }: Pick<Identity, 'scopes'>, wanted: Iterable<Scope>): Scope[] {
  return [...wanted].filter((scope) => scope === 'admin' || !(own.has(scope) || own.has('admin')))
}
