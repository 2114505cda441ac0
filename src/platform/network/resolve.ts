import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** Resolves all addresses of a name. Rejects with the codes of dns.lookup, such as ENOTFOUND. */
export type Resolve = (host: string, tenant?: string) => Promise<LookupAddress[]>

const pending = new Map<string, Promise<LookupAddress[]>>()

/**
 * Resolves as the operating system does, with the hosts file and search domains. For the operator's names only: each
 * look-up takes one of the process's few threads until the system gives up. `CustomerHostNames` is for the others.
 * Look-ups of the same name share one call.
 */
export const systemResolve: Resolve = async (host) => {
  const answer = pending.get(host) ?? lookup(host, { all: true }).finally(() => pending.delete(host))
  pending.set(host, answer)
  return await answer
}
