import { domainToASCII } from 'node:url'

/**
 * The ASCII form of a domain in lower case, null for what is none. A name of the operator's own network may be one
 * label, such as intranet.
 */
export function domainName (text: string): string | null {
  const domain = /[\s%/@:*]/.test(text) ? '' : domainToASCII(text)
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(domain) && !domain.includes('..') ? domain : null
}
