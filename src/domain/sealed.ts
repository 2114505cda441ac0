/**
 * A secret as it may be stored and sent: encrypted with a data key of its own, which a key of the keyring wraps. It is
 * bound to its context, so that it cannot be moved to another tenant, record or field.
 */
export interface Sealed {
  v: 1
  /** The key of the keyring that wraps the data key. */
  kekId: string
  wrappedKey: Uint8Array
  nonce: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
}
