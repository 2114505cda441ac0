import type { Job, TabularJob } from './schema.ts'

export interface WebhookEvent {
  type: 'job.completed' | 'job.failed' | (string & {})
  timestamp: string
  data: Job | TabularJob
  /** Fields of the job that are null here because the body would have been too long. */
  omitted?: string[]
}

/** Signatures that are compared: the service sends one for each secret in force, which are five at most. */
const maxSignatures = 10

/** A callback that is not to be trusted. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

/**
 * The callback, when it was signed with the secret (`whsec_...`) within `toleranceSeconds`, as Standard Webhooks has it
 * (https://www.standardwebhooks.com). `body` is the text as it came, before anything parses it. A repeat has the same
 * `webhook-id`: keep those that were handled. Throws WebhookError.
 */
export async function verifyWebhook (
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  { toleranceSeconds = 300, nowMs = Date.now() } = {}
): Promise<WebhookEvent> {
  const given = headers instanceof Headers
    ? headers
    : new Headers(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]]
      )
    )
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => given.get(`webhook-${name}`)) as [
    string | null,
    string | null,
    string | null
  ]
  if (id === null || timestamp === null || signatures === null) {
    throw new WebhookError('a header is missing: webhook-id, webhook-timestamp or webhook-signature')
  }
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('the timestamp is not fresh')
  }
  if (!secret.startsWith('whsec_')) throw new TypeError('a webhook secret begins with whsec_')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.slice(6)) ?? new Uint8Array(), {
    name: 'HMAC',
    hash: 'SHA-256'
  }, false, ['sign'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  // Once, whatever the header says: anybody can send a large body with thousands of signatures.
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  const isSigned = signatures.split(' ', maxSignatures).some((entry) => {
    const [version, signature = ''] = entry.split(',')
    const bytes = version === 'v1' ? bytesOf(signature) : null
    return bytes !== null && isSame(bytes, expected)
  })
  if (!isSigned) throw new WebhookError('no signature is that of the secret')
  return JSON.parse(text) as WebhookEvent
}

/** In constant time; the length is no secret. */
function isSame (one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.reduce((bits, byte, at) => bits | (byte ^ (other[at] ?? 0)), 0) === 0
}

/** null: not base64. */
function bytesOf (base64: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 === 1) return null
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
