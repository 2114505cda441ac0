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
    description: 'The kind of captcha. none: there is no captcha, and captcha_token is ignored.'
  }),
  site_key: nullable(Type.String(),
    'For turnstile and hcaptcha: the key for their script. Its token is the captcha_token.'),
  challenge: nullable(
    altcha,
    'For altcha (version 2): captcha_token is the base64 of the JSON {challenge, solution: {counter, derivedKey}}.'
  ),
  expires_at: nullable(Type.String({ format: 'date-time' }),
    'Until when the service accepts a solution of this challenge.')
})
