import { hkdfSync, randomInt } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { captchaFailed, tokenLifeMs, type AltchaChallenge, type Captcha, type CaptchaChallenge } from './captcha.ts'
import type { SpentTokens } from './spent-tokens.ts'

export interface AltchaOptions {
  /** Of the installation. */
  secret: Uint8Array
  spent: SpentTokens
}

/**
 * A browser tries keys of a thousand rounds each until it finds the right one, which takes a second or two. Making a
 * challenge costs one key, on another thread; checking a solution costs none.
 */
const algorithm = 'PBKDF2/SHA-256'
const rounds = 1_000
const fewestKeys = 2_000
const mostKeys = 6_000

const maxTokenLength = 4_096

const hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$` })
const solved = Compile(Type.Object({
  challenge: Type.Object({
    parameters: Type.Object({
      algorithm: Type.Literal(algorithm),
      nonce: hex(16),
      salt: hex(16),
      cost: Type.Literal(rounds),
      keyLength: Type.Literal(32),
      keyPrefix: hex(16),
      keySignature: hex(32),
      expiresAt: Type.Integer({ minimum: 1, maximum: 2 ** 40 })
    }, { additionalProperties: false }),
    signature: hex(32)
  }),
  solution: Type.Object({ counter: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }), derivedKey: hex(32) })
}))

/**
 * ALTCHA's proof of work, made and checked here without a network. A challenge is signed and contains its expiry, so
 * unsolved challenges need no storage.
 */
export class Altcha implements Captcha {
  readonly driver = 'altcha'
  readonly #spent: SpentTokens
  readonly #secrets: { hmacSignatureSecret: string, hmacKeySignatureSecret: string }

  constructor ({ secret, spent }: AltchaOptions) {
    this.#spent = spent
    this.#secrets = {
      hmacSignatureSecret: derived(secret, 'challenge'),
      hmacKeySignatureSecret: derived(secret, 'solution')
    }
  }

  async challenge (): Promise<CaptchaChallenge> {
    const { createChallenge, deriveKey } = await loadLibrary()
    const expiresAt = Math.floor((Date.now() + tokenLifeMs) / 1000)
    const counter = randomInt(fewestKeys, mostKeys)
    const made = await createChallenge({ algorithm, cost: rounds, counter, deriveKey, expiresAt, ...this.#secrets })
    const challenge = made as AltchaChallenge
    return { driver: this.driver, site_key: null, challenge, expires_at: new Date(expiresAt * 1000).toISOString() }
  }

  /**
   * The token is the base64 of {challenge, solution}. Only its signature identifies it, because everything else can be
   * written in several ways.
   */
  async spend (token: string): Promise<void> {
    const { challenge, solution } = readToken(token)
    const { verifySolution, deriveKey } = await loadLibrary()
    const { verified, expired } = await verifySolution({ challenge, solution, deriveKey, ...this.#secrets })
    if (expired) throw captchaFailed('expired')
    if (!verified) throw captchaFailed('forged')
    await this.#spent.add(challenge.signature, challenge.parameters.expiresAt * 1000)
  }
}

/** Loaded on first use, because most deployments have no sandbox. */
async function loadLibrary () {
  return { ...await import('altcha-lib'), ...await import('altcha-lib/algorithms/pbkdf2') }
}

function derived (secret: Uint8Array, use: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', `tabcast sandbox captcha ${use}`, 32)).toString('hex')
}

function readToken (token: string) {
  if (token.length > maxTokenLength) throw captchaFailed('malformed')
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64').toString())
  } catch {
    throw captchaFailed('malformed')
  }
  if (!solved.Check(parsed)) throw captchaFailed('malformed')
  return parsed
}
