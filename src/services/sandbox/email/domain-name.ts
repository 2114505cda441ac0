import { domainToASCII } from 'node:url'

/**
 * A domain as lower-case ASCII; null when the text is no domain. A single label, such as intranet, is allowed for the
 * operator's own network.
 */
export function domainName (text: string): string | null {
  const domain = /[\s%/@:*]/.test(text) ? '' : domainToASCII(text)
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(domain) && !domain.includes('..') ? domain : null
}
