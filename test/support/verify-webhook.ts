import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Delivery } from './receiver.ts'

const toleranceSeconds = 5 * 60

/**
 * A receiver's side of Standard Webhooks, written from its specification: all three headers, a fresh timestamp, and a
 * v1 signature of this secret among those of the list. Throws for anything else, and gives the parsed body.
 */
export function verifyWebhook (secret: string, { headers, body }: Pick<Delivery, 'headers' | 'body'>,
  nowMs = Date.now()): { type: string, timestamp: string, data: Record<string, unknown>, omitted?: string[] } {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers[name]
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    throw new Error('a header is missing')
  }
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new Error('the timestamp is not fresh')
  }
  if (!secret.startsWith('whsec_')) throw new Error('not a secret')
  const expected = createHmac('sha256', Buffer.from(secret.substring(6), 'base64')).update(
    id + '.' + timestamp + '.' + body
  ).digest()
  const isSigned = signatures.split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) throw new Error('no signature matches')
  return JSON.parse(body) as ReturnType<typeof verifyWebhook>
}
