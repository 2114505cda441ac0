import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { SandboxOrigin } from '../jobs/job-record.ts'
import type { CaptchaChallenge } from './captcha/captcha.ts'
import { createCaptcha, type RunningCaptcha } from './captcha/create-captcha.ts'
import type { DomainClaims } from './domain-claims.ts'
import { openCorporateAddresses, type CorporateAddresses } from './email/corporate-addresses.ts'
import type { KeptBytes } from './kept-bytes.ts'

export interface SandboxDeps {
  config: Config
  metadata: MetadataStore
  /** Of the installation. */
  secret: Uint8Array
  claims: DomainClaims
  kept: KeptBytes
  log: Logger
}

/** Who the visitor is. */
export interface Visitor {
  token: string
  email: string
  address: string
}

/**
 * Decides who may have a job in the sandbox. Created only when there is a sandbox; throws ConfigError for wrong
 * settings.
 */
export class Sandbox {
  readonly #config: Config
  readonly #captcha: RunningCaptcha
  readonly #addresses: CorporateAddresses
  readonly #claims: DomainClaims
  readonly #kept: KeptBytes
  #underWay = 0

  constructor ({ config, metadata, secret, claims, kept, log }: SandboxDeps) {
    this.#config = config
    this.#claims = claims
    this.#kept = kept
    this.#addresses = openCorporateAddresses({
      config,
      onError: (error) =>
        log.error({ err: error }, 'cannot read the domain rules of the sandbox; the last good rules stay in force')
    })
    this.#captcha = createCaptcha({ config, metadata, secret, log })
  }

  async challenge (): Promise<CaptchaChallenge> {
    return await this.#captcha.challenge()
  }

  /**
   * Takes a place among the requests in progress, and returns the function that frees it. Throws server_overloaded
   * before the upload is read.
   */
  enter (): () => void {
    this.#kept.check()
    const { SANDBOX_MAX_WAITING: most } = this.#config
    if (this.#underWay >= most) {
      const text = `${this.#underWay} requests to the sandbox are under way, and this deployment takes ${most}`
      throw new TabcastError('server_overloaded', `${text}; nothing was stored.`)
    }
    this.#underWay++
    let isInside = true
    return () => {
      if (isInside) this.#underWay--
      isInside = false
    }
  }

  /**
   * Spends the token, and returns the claim that the visitor's job makes when it is recorded. Throws
   * sandbox_captcha_failed, validation_error or sandbox_corporate_email_required.
   */
  async admit ({ token, email, address }: Visitor): Promise<SandboxOrigin> {
    await this.#captcha.spend(token, address)
    return { claim: this.#claims.idOf(this.#addresses.domainOf(email)) }
  }

  async stop (): Promise<void> {
    this.#addresses.close()
    await this.#captcha.stop()
  }
}
