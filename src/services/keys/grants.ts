import type { Identity } from './identity.ts'
import type { Scope } from './scopes.ts'

/**
 * The scopes that a key may not pass on over HTTP. Nobody may pass on `admin`: a stolen key of the deployment could
 * make itself a second one, and would survive its own revocation. Apart from that, a key passes on only scopes that it
 * has, unless it is an administrator's.
 */
export function scopesNotPassedOn ({ scopes: own }: Pick<Identity, 'scopes'>, wanted: Iterable<Scope>): Scope[] {
  return [...wanted].filter((scope) => scope === 'admin' || !(own.has(scope) || own.has('admin')))
}
