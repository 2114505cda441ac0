import type { Captcha, CaptchaChallenge } from './captcha.ts'

/** For an operator who keeps programs away by other means: every token is good, an empty one too. */
export class Unguarded implements Captcha {
  readonly driver = 'none'

  async challenge (): Promise<CaptchaChallenge> {
    return { driver: this.driver, site_key: null, challenge: null, expires_at: null }
  }

  async spend (): Promise<void> {}
}
