/** What a valid signed address grants. */
export interface SignedGetClaims {
  key: string
  filename: string
  contentType: string
  /** Seconds since 1970. */
  expires: number
}
export type SignedGetRefusal = 'malformed' | 'wrong_signature' | 'expired'

/** `path` is what follows `/objects/`, still percent-encoded; `nowMs` is the wall clock. */
export declare function verifySignedGet (secret: Uint8Array, path: string, query: Record<string, unknown>, nowMs: number):
  { ok: true, claims: SignedGetClaims } | { ok: false, reason: SignedGetRefusal }
