import { ConfigError, type Config } from '../../platform/config.ts'

/** Origins whose pages may frame /try and use the sandbox. Throws ConfigError. */
export function sandboxOrigins ({ SANDBOX_ORIGINS: text }: Pick<Config, 'SANDBOX_ORIGINS'>): string[] {
  const origins = text.split(',').map((one) => one.trim()).filter((one) => one !== '')
  for (const origin of origins) {
    // Other characters that a URL's host may have could end the directive of a policy.
    const isPlain = /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) && URL.canParse(origin)
    if (isPlain && new URL(origin).origin === origin) continue
    throw new ConfigError(`TABCAST_SANDBOX_ORIGINS=${text}: ${JSON.stringify(origin)} is not an origin; ` +
      'one looks like https://www.example.com, without a path')
  }
  return origins
}
