import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Sealed } from '../../domain/sealed.ts'
import { readKeyring, type Keyring } from './keyring.ts'

/** The owner and purpose of the secret, e.g. tenant, connection id, field. */
export type SealContext = readonly string[]

/** A stored secret and the context that it is bound to. */
export interface SealedRecord {
  sealed: Sealed
  context: SealContext
}

/**
 * `unavailable`: the keyring does not hold the key. `corrupt`: the envelope was changed, or belongs to another context.
 */
export class VaultError extends Error {
  override name = 'VaultError'
  readonly code: 'unavailable' | 'corrupt'

  constructor (code: VaultError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Envelope encryption: AES-256-GCM twice, once over the secret and once over its data key (NIST SP 800-38D). */
export class Vault {
  readonly #path: string
  #keyring: Keyring

  /** Throws KeyringError. */
  constructor (keyringPath: string) {
    this.#path = keyringPath
    this.#keyring = readKeyring(keyringPath)
  }

  /** Reads the keyring again, after a key was added or removed. */
  reload (): void {
    this.#keyring = readKeyring(this.#path)
  }

  seal (secret: Uint8Array | string, context: SealContext): Sealed {
    const dataKey = randomBytes(keyBytes)
    try {
      const { nonce, ciphertext, tag } = encrypt(dataKey, Buffer.from(secret), bound('secret', context))
      return { v: 1, ...this.#wrap(dataKey, context), nonce, ciphertext, tag }
    } finally {
      dataKey.fill(0)
    }
  }

  /** The caller zeroes the buffer after use. Throws VaultError. */
  open (sealed: Sealed, context: SealContext): Buffer {
    const dataKey = this.#unwrap(sealed, context)
    try {
      return decrypt(dataKey, sealed, bound('secret', context))
    } finally {
      dataKey.fill(0)
    }
  }

  /**
   * Returns the same secret under the active key; undefined if it already is. The secret itself stays encrypted. Throws
   * VaultError.
   */
  rewrap (sealed: Sealed, context: SealContext): Sealed | undefined {
    if (sealed.kekId === this.#keyring.active) return undefined
    const dataKey = this.#unwrap(sealed, context)
    try {
      return { ...sealed, ...this.#wrap(dataKey, context) }
    } finally {
      dataKey.fill(0)
    }
  }

  #wrap (dataKey: Buffer, context: SealContext): Pick<Sealed, 'kekId' | 'wrappedKey'> {
    const { active, keys } = this.#keyring
    const { nonce, ciphertext, tag } = encrypt(keys.get(active) as Buffer, dataKey, bound('key', context))
    return { kekId: active, wrappedKey: Buffer.concat([nonce, ciphertext, tag]) }
  }

  #unwrap ({ kekId, wrappedKey }: Sealed, context: SealContext): Buffer {
    // Another process may have added the key since the file was read.
    if (!this.#keyring.keys.has(kekId)) this.reload()
    const key = this.#keyring.keys.get(kekId)
    if (key === undefined) throw new VaultError('unavailable', `the keyring has no key ${kekId}`)
    const wrapped = Buffer.from(wrappedKey)
    const parts = {
      nonce: wrapped.subarray(0, nonceBytes),
      ciphertext: wrapped.subarray(nonceBytes, -tagBytes),
      tag: wrapped.subarray(-tagBytes)
    }
    return decrypt(key, parts, bound('key', context))
  }
}

interface Encrypted {
  nonce: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
}

function encrypt (key: Buffer, secret: Buffer, context: Buffer): Encrypted {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(context)
  const ciphertext = Buffer.concat([encryption.update(secret), encryption.final()])
  return { nonce, ciphertext, tag: encryption.getAuthTag() }
}

function decrypt (key: Buffer, { nonce, ciphertext, tag }: Encrypted, context: Buffer): Buffer {
  try {
    const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(context).setAuthTag(tag)
    return Buffer.concat([decryption.update(ciphertext), decryption.final()])
  } catch (cause) {
    throw new VaultError('corrupt', 'a sealed secret is damaged or belongs elsewhere', cause)
  }
}

/** JSON keeps the elements apart whatever they contain. */
function bound (part: 'secret' | 'key', context: SealContext): Buffer {
  return Buffer.from(JSON.stringify([1, part, ...context]))
}
