import { Type } from 'typebox'
import { captchaDrivers } from '../../services/sandbox/captcha/captcha.ts'
import { nullable } from './nullable.ts'

const altcha = Type.Object({
  parameters: Type.Object({
    algorithm: Type.String(),
    nonce: Type.String(),
    salt: Type.String(),
    cost: Type.Integer(),
    keyLength: Type.Integer(),
    keyPrefix: Type.String(),
    keySignature: Type.String(),
    expiresAt: Type.Integer({ description: 'Seconds since 1970.' })
  }),
  signature: Type.String()
})

/** What a page needs to let a visitor solve a captcha. */
export const captchaChallengeSchema = Type.Object({
  driver: Type.Enum(captchaDrivers, {
    description: 'What keeps programs away; none: nothing, and captcha_token is not looked at.'
  }),
  site_key: nullable(Type.String(), 'Of turnstile and hcaptcha: for their script, whose token is the captcha_token.'),
  challenge: nullable(
    altcha,
    'Of altcha (version 2): captcha_token is the base64 of the JSON {challenge, solution: {counter, derivedKey}}.'
  ),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'Until when the solution of this challenge is taken.')
})
