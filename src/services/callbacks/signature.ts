import { createHmac } from 'node:crypto'

/**
 * The `webhook-signature` of Standard Webhooks: HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, one for
 * each valid key, separated by spaces.
 */
export function sign (keys: readonly Uint8Array[], messageId: string, timestamp: string, body: string): string {
  const content = `${messageId}.${timestamp}.${body}`
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ')
}
