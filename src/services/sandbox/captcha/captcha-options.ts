import { ConfigError, type Config, type SettingName } from '../../../platform/config.ts'
import { siteVerifyUrls } from './site-verify.ts'

export type CaptchaOptions = { driver: 'altcha' } | { driver: 'none' } | SiteVerifySettings

export interface SiteVerifySettings {
  driver: 'turnstile' | 'hcaptcha'
  siteKey: string
  secret: string
  url: URL
  hostnames: string[]
}

/** Required by the drivers that use a service. */
const needed = ['SANDBOX_CAPTCHA_SITE_KEY', 'SANDBOX_CAPTCHA_SECRET'] as const
const dependent: SettingName[] = [...needed, 'SANDBOX_CAPTCHA_HOSTNAMES', 'SANDBOX_CAPTCHA_URL']

/** The options in the settings. Throws ConfigError. */
export function captchaOptions (config: Config): CaptchaOptions {
  const driver = config.SANDBOX_CAPTCHA
  if (driver === 'altcha' || driver === 'none') {
    const stray = dependent.find((name) => config[name] !== '')
    if (stray !== undefined) {
      throw new ConfigError(`TABCAST_${stray} is set, and TABCAST_SANDBOX_CAPTCHA=${driver} has no use for it: ` +
        'unset it, or set TABCAST_SANDBOX_CAPTCHA to turnstile or hcaptcha')
    }
    return { driver }
  }
  for (const name of needed) {
    if (config[name] === '') {
      throw new ConfigError(`TABCAST_${name} is missing: TABCAST_SANDBOX_CAPTCHA=${driver} needs the site key and ` +
        'the secret of your account there; altcha needs neither')
    }
    if (!/^[\x21-\x7e]+$/.test(config[name])) {
      throw new ConfigError(`TABCAST_${name}=<set, not shown>: must be printable ASCII characters without spaces; ` +
        'look for a line break at its end')
    }
  }
  return {
    driver,
    siteKey: config.SANDBOX_CAPTCHA_SITE_KEY,
    secret: config.SANDBOX_CAPTCHA_SECRET,
    url: verifyUrl(config.SANDBOX_CAPTCHA_URL || siteVerifyUrls[driver]),
    hostnames: hostnamesOf(config.SANDBOX_CAPTCHA_HOSTNAMES)
  }
}

/** The error does not show the value, which may hold a password. */
function verifyUrl (text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.search + url.hash + url.username + url.password === ''
  if (!isPlain) {
    throw new ConfigError('TABCAST_SANDBOX_CAPTCHA_URL: must be an http or https address without query or password, ' +
      'such as https://captcha.internal/siteverify')
  }
  return url
}

function hostnamesOf (text: string): string[] {
  const names = text.toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '')
  const wrong = names.find((name) => !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name))
  if (wrong !== undefined) {
    throw new ConfigError(`TABCAST_SANDBOX_CAPTCHA_HOSTNAMES=${text}: ${JSON.stringify(wrong)} is not the name of a ` +
      'host, such as www.example.com')
  }
  return names
}
