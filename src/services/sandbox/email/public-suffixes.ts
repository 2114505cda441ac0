import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface RegistrableDomain {
  /** One label below the public suffix. */
  domain: string
  /** The suffix belongs to a hosting service, such as github.io, where anybody gets a name; not to a registry. */
  isHosted: boolean
}

/**
 * By the public suffix list. null for a suffix itself, and for names that nobody can register, such as server.local.
 */
export type FindRegistrable = (domain: string) => RegistrableDomain | null

/** The input is always a domain. */
const options = { allowPrivateDomains: true, detectSpecialUse: true, extractHostname: false, validateHostname: false }

/** Reads the list, which takes about 14 ms and 6 MB, so call it only when there is a sandbox. */
export function loadPublicSuffixes (): FindRegistrable {
  const { parse } = require('tldts') as typeof import('tldts')
  return (name) => {
    const { domain, isIcann, isPrivate, isSpecialUse } = parse(name, options)
    const isKnown = isIcann === true || isPrivate === true
    return domain === null || isSpecialUse === true || !isKnown ? null : { domain, isHosted: isPrivate === true }
  }
}
