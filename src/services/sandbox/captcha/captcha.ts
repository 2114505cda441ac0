import { TabcastError } from '../../../platform/errors.ts'

export const captchaDrivers = ['altcha', 'turnstile', 'hcaptcha', 'none'] as const
export type CaptchaDriver = typeof captchaDrivers[number]

/** How long a challenge or its token is valid. */
export const tokenLifeMs = 300_000

/** What a page needs to let a visitor solve a captcha. */
export interface CaptchaChallenge {
  driver: CaptchaDriver
  /** For turnstile and hcaptcha, whose scripts make the challenge. */
  site_key: string | null
  /** For altcha. */
  challenge: AltchaChallenge | null
  expires_at: string | null
}

/** The format of altcha-lib, its solvers and ALTCHA's widget. */
export interface AltchaChallenge {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    keySignature: string
    /** Seconds since 1970. */
    expiresAt: number
  }
  signature: string
}

/** Keeps programs from taking the sandbox's jobs by the thousand. */
export interface Captcha {
  readonly driver: CaptchaDriver
  challenge(): Promise<CaptchaChallenge>
  /**
   * Accepts a token once; of two requests at the same time, one fails. Throws sandbox_captcha_failed, or a 503 when the
   * token could not be checked and is not spent. `address`: the visitor's.
   */
  spend(token: string, address: string): Promise<void>
}

export type CaptchaRefusal = 'malformed' | 'forged' | 'expired' | 'replayed' | 'refused'

const refusals: Record<CaptchaRefusal, string> = {
  malformed: 'The captcha token is missing, or is none of this captcha.',
  forged: 'The captcha token is not the solution of a challenge of this service.',
  expired: 'The captcha token is older than five minutes.',
  replayed: 'The captcha token has been used before.',
  refused: 'The captcha was not solved.'
}

export function captchaFailed (reason: CaptchaRefusal): TabcastError {
  return new TabcastError('sandbox_captcha_failed', refusals[reason], {
    reason,
    suggestion: 'Solve a new challenge (GET /sandbox/challenge) and send its token once.'
  })
}

/** The visitor is not to blame, and may send the same token again. */
export function captchaUnavailable (): TabcastError {
  return new TabcastError('compute_unavailable', 'The service that checks captchas does not answer.', {
    reason: 'captcha_unavailable',
    suggestion: 'Send the request again. The token is still valid.'
  })
}
