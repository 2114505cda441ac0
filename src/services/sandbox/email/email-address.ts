import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { TabcastError } from '../../../platform/errors.ts'

/** RFC 5321: limits of the whole address in ASCII, and of the part before the @. */
const maxBytes = 254
const maxLocalBytes = 64
/** Limit on the input. An international domain is longer in ASCII, never that much shorter. */
const maxChars = 320

/** Letters of every script (RFC 6531) and the signs of RFC 5322. */
const dotAtom = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const quoted = /^"(?:[\p{L}\p{M}\p{N}\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/u
/** Includes the full stops that IDNA treats as dots; excludes what the URL standard would decode or cut off. */
const domainText = /^[\p{L}\p{M}\p{N}\-.。．｡·\u200c\u200d]+$/u
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainName = new RegExp(`^${label}(?:\\.${label})*$`)

/**
 * The domain of an address, as lower-case ASCII; null for an IP address literal ([192.0.2.1]), which is valid but has
 * no domain. Throws validation_error for an invalid address. The part before the @ is not kept.
 */
export function domainOfAddress (email: string): string | null {
  const text = email.trim()
  const at = text.lastIndexOf('@')
  if (text.length > maxChars) throw malformed('it is too long')
  if (at < 1) throw malformed('it has no name before an @')
  const local = text.slice(0, at)
  if (!dotAtom.test(local) && !quoted.test(local)) {
    throw malformed('what is before the @ has signs that cannot be there')
  }
  if (Buffer.byteLength(local) > maxLocalBytes) throw malformed(`it has more than ${maxLocalBytes} bytes before the @`)
  const written = text.slice(at + 1)
  if (isLiteral(written)) return null
  const domain = domainText.test(written) ? domainToASCII(written) : ''
  if (isIP(domain) !== 0) return null
  if (!domainName.test(domain)) throw malformed('the part behind the @ is not the name of a domain')
  if (Buffer.byteLength(local) + 1 + domain.length > maxBytes) throw malformed(`it has more than ${maxBytes} bytes`)
  return domain
}

function isLiteral (domain: string): boolean {
  const inside = /^\[(?:IPv6:)?([0-9a-f:.]+)\]$/i.exec(domain)?.[1]
  return inside !== undefined && isIP(inside) !== 0
}

/** The error does not repeat the address, which is personal data. */
function malformed (reason: string): TabcastError {
  return new TabcastError('validation_error', undefined, {
    fields: [{
      loc: ['body', 'email'],
      msg: `this is not an e-mail address: ${reason}`,
      type: 'email_address',
      ctx: { error: reason }
    }]
  })
}
