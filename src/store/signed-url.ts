import { createHmac, timingSafeEqual } from 'node:crypto'
import { checkKey } from './object-key.ts'
import type { SignedGetOptions } from './object-store.ts'
import { StoreError } from './store-error.ts'

/** What a valid signed address grants: reading one object, answered under this name and type. */
export interface SignedGetClaims {
  key: string
  filename: string
  contentType: string
  /** Seconds since 1970. */
  expires: number
}
export type SignedGetRefusal = 'malformed' | 'wrong_signature' | 'expired'
export type SignedGetVerdict = { ok: true, claims: SignedGetClaims } | { ok: false, reason: SignedGetRefusal }

/** `<baseUrl>/objects/<key>?expires=...&filename=...&type=...&signature=...`; `nowMs` is the wall clock. */
export function signedGetUrl (secret: Uint8Array, key: string, options: SignedGetOptions, nowMs: number): string {
  checkKey(key)
  const { filename, contentType, expiresInSeconds, baseUrl } = options
  const expires = Math.floor(nowMs / 1000) + expiresInSeconds
  const signature = sign(secret, { key, filename, contentType, expires }).toString('base64url')
  const query = new URLSearchParams({ expires: String(expires), filename, type: contentType, signature })
  return `${baseUrl}/objects/${key.split('/').map(encodeURIComponent).join('/')}?${query}`
}

/**
 * `path` is what follows `/objects/`, still percent-encoded. The signature is compared before the expiry, so that only
 * holders of a signature learn whether it has expired. It grants GET, and HEAD as its lesser form; the caller checks the method.
 */
export function verifySignedGet (secret: Uint8Array, path: string, query: Record<string, unknown>, nowMs: number): SignedGetVerdict {
  const claims = parseClaims(path, query)
  const given = query['signature']
  if (!claims || typeof given !== 'string') return { ok: false, reason: 'malformed' }
  const signature = Buffer.from(given, 'base64url')
  const expected = sign(secret, claims)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return { ok: false, reason: 'wrong_signature' }
  return nowMs >= claims.expires * 1000 ? { ok: false, reason: 'expired' } : { ok: true, claims }
}

function parseClaims (path: string, query: Record<string, unknown>): SignedGetClaims | undefined {
  const { expires, filename, type } = query
  if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires) || typeof filename !== 'string' || typeof type !== 'string') return undefined
  try {
    const key = decodeURIComponent(path)
    checkKey(key)
    return { key, filename, contentType: type, expires: Number(expires) }
  } catch (error) {
    if (error instanceof URIError || error instanceof StoreError) return undefined
    throw error
  }
}

/** JSON keeps the fields apart whatever they contain; the method keeps these signatures from granting anything else. */
function sign (secret: Uint8Array, { key, filename, contentType, expires }: SignedGetClaims): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(['GET', key, expires, filename, contentType])).digest()
}
