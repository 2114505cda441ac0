import type { Logger } from 'pino'
import type { Config } from '../../../platform/config.ts'
import type { MetadataStore } from '../../../platform/metadata/metadata-store.ts'
import { providerPolicy } from '../../../platform/network/provider-policy.ts'
import { repeatSweep } from '../../../platform/time/repeat-sweep.ts'
import { Altcha } from './altcha.ts'
import { captchaOptions } from './captcha-options.ts'
import type { Captcha } from './captcha.ts'
import { SiteVerify } from './site-verify.ts'
import { SpentTokens } from './spent-tokens.ts'
import { Unguarded } from './unguarded.ts'

export interface CaptchaDeps {
  config: Config
  metadata: MetadataStore
  /** The installation's secret, from which altcha's keys are derived. */
  secret: Uint8Array
  log: Logger
}

export interface RunningCaptcha extends Captcha {
  stop(): Promise<void>
}

/** The captcha that the settings name. Throws ConfigError. */
export function createCaptcha ({ config, metadata, secret, log }: CaptchaDeps): RunningCaptcha {
  const options = captchaOptions(config)
  const { driver } = options
  if (driver === 'none') log.warn('TABCAST_SANDBOX_CAPTCHA=none: programs can use the sandbox like people')
  const spent = new SpentTokens({ metadata, driver })
  const sweep = repeatSweep('captcha tokens', config.SWEEP_MS, log, () => spent.sweep())
  const captcha = driverOf()
  return {
    driver,
    challenge: () => captcha.challenge(),
    spend: (token, address) => captcha.spend(token, address),
    stop: () => sweep.stop()
  }

  function driverOf (): Captcha {
    if (options.driver === 'none') return new Unguarded()
    if (options.driver === 'altcha') return new Altcha({ secret, spent })
    const policy = providerPolicy(config, config.SANDBOX_CAPTCHA_URL === '' ? [] : [config.SANDBOX_CAPTCHA_URL])
    return new SiteVerify({ ...options, timeoutMs: config.SANDBOX_CAPTCHA_TIMEOUT_MS, policy, spent, log })
  }
}
