import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** All addresses of a name; rejects with the codes of dns.lookup, such as ENOTFOUND. */
export type Resolve = (host: string, tenant?: string) => Promise<LookupAddress[]>

const pending = new Map<string, Promise<LookupAddress[]>>()

/**
 * As the operating system resolves: hosts file and search domains included. For names of the operator's, as each
 * look-up has one of the process's few threads until the system gives up (`GivenNames` is for the others); one at a
 * time for each name.
 */
export const systemResolve: Resolve = async (host) => {
  const answer = pending.get(host) ?? lookup(host, { all: true }).finally(() => pending.delete(host))
  pending.set(host, answer)
  return await answer
}
