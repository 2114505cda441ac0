/**
 * - `not_found`: no object has this key.
 * - `unavailable`: the store cannot be reached or refuses; trying again later may help.
 * - `no_space`: the store is full.
 * - `invalid_key`: this program does not make such keys or prefixes.
 * - `invalid_range`: the byte range begins after the object's end.
 * - `exists`: the key has an object, and the caller did not want to replace one.
 * - `too_large`: the object has more bytes than the caller takes.
 */
export type StoreErrorCode = 'not_found' | 'unavailable' | 'no_space' | 'invalid_key' | 'invalid_range' | 'exists'
  | 'too_large'

export class StoreError extends Error {
  override name = 'StoreError'
  readonly code: StoreErrorCode

  constructor (code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
