import type { Captcha, CaptchaChallenge } from './captcha.ts'

/** Accepts every token, even an empty one. For operators who keep programs away by other means. */
export class Unguarded implements Captcha {
  readonly driver = 'none'

  async challenge (): Promise<CaptchaChallenge> {
    return { driver: this.driver, site_key: null, challenge: null, expires_at: null }
  }

  async spend (): Promise<void> {}
}
