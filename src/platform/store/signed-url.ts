import { createHmac, timingSafeEqual } from 'node:crypto'
import { checkKey } from './object-key.ts'
import type { SignedGetOptions, SignedPut, SignedPutOptions } from './object-store.ts'
import { requiredPutHeaders } from './put-headers.ts'
import { StoreError } from './store-error.ts'

/*
 * Signed addresses of the local store: `<baseUrl>/objects/<key>?expires=...&<claims>&signature=...`. The signature
 * covers the method, so that an address for reading never allows writing, or the reverse. Times are the wall clock in
 * milliseconds.
 */

/** Allows reading one object, which is answered with this name and type. */
export interface SignedGetClaims {
  key: string
  filename: string
  contentType: string
  /** Seconds since 1970. */
  expires: number
}

/** Allows writing one object that does not exist yet. */
export interface SignedPutClaims {
  key: string
  contentType: string
  /** null: any size. */
  bytes: number | null
  objectId: string
  expires: number
}

export type SignedUrlRefusal = 'malformed' | 'wrong_signature' | 'expired'
export type SignedUrlVerdict<Claims> = { ok: true, claims: Claims } | { ok: false, reason: SignedUrlRefusal }

export function signedGetUrl (secret: Uint8Array, key: string,
  { filename, contentType, expiresInSeconds, baseUrl }: SignedGetOptions, nowMs: number): string {
  checkKey(key)
  const claims: SignedGetClaims = { key, filename, contentType, expires: expiry(expiresInSeconds, nowMs) }
  return address(baseUrl, key, { expires: String(claims.expires), filename, type: contentType },
    sign(secret, getFields(claims)))
}

export function signedPut (secret: Uint8Array, key: string,
  { contentType, bytes, objectId, expiresInSeconds, baseUrl }: SignedPutOptions, nowMs: number): SignedPut {
  checkKey(key)
  const claims: SignedPutClaims = { key, contentType, bytes, objectId, expires: expiry(expiresInSeconds, nowMs) }
  const size = bytes === null ? {} : { bytes: String(bytes) }
  const query = { expires: String(claims.expires), type: contentType, ...size, object: objectId }
  return {
    url: address(baseUrl, key, query, sign(secret, putFields(claims))),
    headers: requiredPutHeaders(claims)
  }
}

/** `path` is the part after `/objects/`, still percent-encoded. Allows GET and HEAD; the caller checks the method. */
export function verifySignedGet (secret: Uint8Array, path: string, query: Record<string, unknown>,
  nowMs: number): SignedUrlVerdict<SignedGetClaims> {
  return verify(secret, query, nowMs, getFields, () => {
    const { filename, type } = query
    const key = readKey(path)
    const expires = readNumber(query['expires'], 12)
    if (key === undefined || expires === undefined || typeof filename !== 'string' || typeof type !== 'string') {
      return undefined
    }
    return { key, filename, contentType: type, expires }
  })
}

/** Like `verifySignedGet`, for PUT. The caller compares the headers with the claims. */
export function verifySignedPut (secret: Uint8Array, path: string, query: Record<string, unknown>,
  nowMs: number): SignedUrlVerdict<SignedPutClaims> {
  return verify(secret, query, nowMs, putFields, () => {
    const { type, object } = query
    const key = readKey(path)
    const expires = readNumber(query['expires'], 12)
    const bytes = query['bytes'] === undefined ? null : readNumber(query['bytes'], 15)
    if (key === undefined || expires === undefined || bytes === undefined || typeof type !== 'string' ||
      typeof object !== 'string') return undefined
    return { key, contentType: type, bytes, objectId: object, expires }
  })
}

/** Compares the signature before the expiry, so that only holders of a signature learn whether it has expired. */
function verify<Claims extends { expires: number }> (
  secret: Uint8Array,
  query: Record<string, unknown>,
  nowMs: number,
  fields: (claims: Claims) => unknown[],
  parse: () => Claims | undefined
): SignedUrlVerdict<Claims> {
  const claims = parse()
  const given = query['signature']
  if (!claims || typeof given !== 'string') return { ok: false, reason: 'malformed' }
  // The texts are compared, because the last character of a base64url digest has bits that decoding ignores.
  const signature = Buffer.from(given)
  const expected = Buffer.from(sign(secret, fields(claims)))
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    return { ok: false, reason: 'wrong_signature' }
  }
  return nowMs >= claims.expires * 1000 ? { ok: false, reason: 'expired' } : { ok: true, claims }
}

function readKey (path: string): string | undefined {
  try {
    const key = decodeURIComponent(path)
    checkKey(key)
    return key
  } catch (error) {
    if (error instanceof URIError || error instanceof StoreError) return undefined
    throw error
  }
}

function readNumber (text: unknown, maxDigits: number): number | undefined {
  return typeof text === 'string' && text.length <= maxDigits && /^\d+$/.test(text) ? Number(text) : undefined
}

function expiry (seconds: number, nowMs: number): number {
  return Math.floor(nowMs / 1000) + seconds
}

function address (baseUrl: string, key: string, query: Record<string, string>, signature: string): string {
  const search = new URLSearchParams({ ...query, signature })
  return `${baseUrl}/objects/${key.split('/').map(encodeURIComponent).join('/')}?${search}`
}

const getFields = (
  { key, expires, filename, contentType }: SignedGetClaims
): unknown[] => ['GET', key, expires, filename, contentType]
const putFields = (
  { key, expires, contentType, bytes, objectId }: SignedPutClaims
): unknown[] => ['PUT', key, expires, contentType, bytes, objectId]

/** JSON keeps the fields apart whatever they contain. */
function sign (secret: Uint8Array, fields: unknown[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(fields)).digest('base64url')
}
