import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** All addresses of a name; rejects with the codes of dns.lookup, such as ENOTFOUND. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

/** As the operating system resolves: hosts file and search domains included. */
export const systemResolve: Resolve = async (host) => await lookup(host, { all: true })
