import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { TabcastError } from '../../../platform/errors.ts'
import { BodyTooLarge, exchange, ExchangeTimeout, type Answer } from '../../../platform/network/exchange.ts'
import type { NetworkPolicy } from '../../../platform/network/network-policy.ts'
import { NetworkRefusal } from '../../../platform/network/network-refusal.ts'
import { captchaFailed, captchaUnavailable, tokenLifeMs, type Captcha, type CaptchaChallenge } from './captcha.ts'
import type { SpentTokens } from './spent-tokens.ts'

export interface SiteVerifyOptions {
  driver: 'turnstile' | 'hcaptcha'
  siteKey: string
  secret: string
  url: URL
  /** Hosts of pages where the captcha may be solved; empty: any. */
  hostnames: readonly string[]
  timeoutMs: number
  policy: NetworkPolicy
  spent: SpentTokens
  log: SiteVerifyLog
}

interface SiteVerifyLog {
  warn(fields: object, message: string): void
}

export const siteVerifyUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify'
} as const

const maxTokenLength = 8_192
const maxAnswerBytes = 64 * 1024
/** Concurrent questions, each of which holds a connection. */
const maxAtATime = 64

const verdict = Compile(Type.Object({
  success: Type.Boolean(),
  challenge_ts: Type.Optional(Type.String({ maxLength: 40 })),
  hostname: Type.Optional(Type.String({ maxLength: 300 })),
  'error-codes': Type.Optional(Type.Array(Type.String(), { maxItems: 20 }))
}))

/** Errors that say nothing about the token: the settings are wrong, or the service has failed. */
const faultsOfOurs = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-passcode',
  'internal-error'
])

/** Cloudflare Turnstile and hCaptcha, whose services check tokens over HTTP. */
export class SiteVerify implements Captcha {
  readonly driver: SiteVerifyOptions['driver']
  readonly #options: SiteVerifyOptions
  #atATime = 0

  constructor (options: SiteVerifyOptions) {
    this.driver = options.driver
    this.#options = options
  }

  async challenge (): Promise<CaptchaChallenge> {
    return { driver: this.driver, site_key: this.#options.siteKey, challenge: null, expires_at: null }
  }

  async spend (token: string, address: string): Promise<void> {
    if (token.length > maxTokenLength || !/^[\x21-\x7e]+$/.test(token)) throw captchaFailed('malformed')
    const { spent } = this.#options
    const digest = createHash('sha256').update(token).digest()
    const name = digest.toString('base64url')
    spent.check(name)
    if (this.#atATime >= maxAtATime) {
      throw new TabcastError('server_overloaded', 'Too many captchas are checked at the moment.')
    }
    this.#atATime++
    try {
      await spent.add(name, this.#endOf(await this.#ask(token, digest, address)))
    } finally {
      this.#atATime--
    }
  }

  /** Resolves to the time when the challenge was solved. */
  async #ask (token: string, digest: Buffer, address: string): Promise<number> {
    const answer = await this.#post(token, digest, address)
    const { success, challenge_ts: solvedAt = '', hostname = '', 'error-codes': codes = [] } = this.#read(answer)
    if (!success) throw this.#refusal(codes)
    const { hostnames } = this.#options
    if (hostnames.length > 0 && !hostnames.includes(hostname.toLowerCase())) {
      const text = 'captcha refused: it was solved on a host that TABCAST_SANDBOX_CAPTCHA_HOSTNAMES does not name'
      this.#options.log.warn({ reason: 'hostname' }, text)
      throw captchaFailed('refused')
    }
    const solvedAtMs = Date.parse(solvedAt)
    if (Number.isNaN(solvedAtMs)) throw this.#unavailable('no_time', answer.status)
    return solvedAtMs
  }

  /** When the token expires. Throws when it has expired. */
  #endOf (solvedAtMs: number): number {
    const expiresAtMs = solvedAtMs + tokenLifeMs
    if (expiresAtMs < Date.now()) throw captchaFailed('expired')
    return expiresAtMs
  }

  async #post (token: string, digest: Buffer, address: string): Promise<Answer> {
    const { driver, secret, siteKey, url, policy, timeoutMs } = this.#options
    const question = new URLSearchParams({ secret, response: token, remoteip: address })
    // With the same key Turnstile answers a repeated question as before, so that a lost answer does not cost the
    // visitor the token. hCaptcha has no such key.
    if (driver === 'turnstile') question.set('idempotency_key', uuidOf(digest))
    else question.set('sitekey', siteKey)
    const content = question.toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': 'tabcast'
    }
    try {
      policy.checkUrl(url.href)
      const agent = policy.agent(url.protocol)
      return await exchange({ url, headers, content, agent, timeoutMs, maxBytes: maxAnswerBytes })
    } catch (error) {
      throw this.#unavailable(reasonOf(error))
    }
  }

  /** A refusal may have any status; a success is always 2xx. */
  #read ({ status, body }: Answer) {
    if (status < 200 || (status >= 300 && status < 400) || status >= 500) throw this.#unavailable('status', status)
    let parsed: unknown
    try {
      parsed = JSON.parse(body.toString())
    } catch {
      throw this.#unavailable('not_json', status)
    }
    if (!verdict.Check(parsed) || (parsed.success && status >= 300)) throw this.#unavailable('not_an_answer', status)
    return parsed
  }

  #refusal (codes: readonly string[]): TabcastError {
    const fault = codes.find((code) => faultsOfOurs.has(code))
    return fault === undefined ? captchaFailed('refused') : this.#unavailable(fault)
  }

  #unavailable (reason: string, status?: number): TabcastError {
    this.#options.log.warn({ reason, status }, 'captcha service')
    return captchaUnavailable()
  }
}

function reasonOf (error: unknown): string {
  if (error instanceof ExchangeTimeout) return 'timeout'
  if (error instanceof BodyTooLarge) return 'answer_too_large'
  if (error instanceof NetworkRefusal) return `address_not_allowed_${error.reason}`
  return String((error as NodeJS.ErrnoException).code ?? 'connection')
}

/** The first bytes of a digest in the form of a UUID. */
function uuidOf (digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
