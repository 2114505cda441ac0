import { createHmac } from 'node:crypto'

/** A secret as Standard Webhooks writes it. */
export const secretPrefix = 'whsec_'

/**
 * The `webhook-signature` of Standard Webhooks: HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, one for each
 * secret that is in force, separated by spaces.
 */
export function sign (secrets: readonly string[], messageId: string, timestamp: string, body: string): string {
  return secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  }).join(' ')
}
