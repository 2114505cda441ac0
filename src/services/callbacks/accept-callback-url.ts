import type { FieldError } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'
import { NetworkRefusal } from '../../platform/network/network-refusal.ts'

/**
 * The address as given, or null for none. Throws validation_error for an address that callbacks may not use. The error
 * does not repeat it, because it may hold a secret.
 */
export function acceptCallbackUrl (policy: NetworkPolicy, text: string | null | undefined,
  loc: FieldError['loc'] = ['body', 'callback_url']): string | null {
  if (text === undefined || text === null || text === '') return null
  try {
    policy.checkUrl(text)
    return text
  } catch (error) {
    if (!(error instanceof NetworkRefusal)) throw error
    throw new TabcastError('validation_error', undefined, {
      fields: [{
        loc,
        msg:
          `${error.message}. Callbacks go to https on port 443 or 8443 at public addresses, and where the operator ` +
          'opens a network or host (TABCAST_CALLBACK_ALLOW_CIDRS, TABCAST_CALLBACK_ALLOW_HOSTS)',
        type: 'callback_url_not_allowed',
        ctx: { error: error.message, reason: error.reason }
      }]
    })
  }
}
