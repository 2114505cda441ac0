import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface RegistrableDomain {
  /** One label below the public suffix. */
  domain: string
  /** The suffix is a host's, such as github.io, below which everybody gets a name; not a registry's. */
  isHosted: boolean
}

/** By the public suffix list; null for a suffix itself, and for what nobody can register, such as server.local. */
export type FindRegistrable = (domain: string) => RegistrableDomain | null

/** Names are those of domains already. */
const options = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

/** Reads the list, which takes some 14 ms and 6 MB of memory: for those who have a sandbox. */
export function loadPublicSuffixes (): FindRegistrable {
  const { parse } = require('tldts') as typeof import('tldts')
  return (name) => {
    const { domain, isIcann, isPrivate, isSpecialUse } = parse(name, options)
    const isKnown = isIcann === true || isPrivate === true
    return domain === null || isSpecialUse === true || !isKnown ? null : { domain, isHosted: isPrivate === true }
  }
}
