/**
 * | table | key | value |
 * |---|---|---|
 * | sandboxTokens | driver, digest of a token | SpentToken |
 * | sandboxTokenExpiry | time, driver, digest | {}: forget the token at that time |
 */
export const captchaTables = ['sandboxTokens', 'sandboxTokenExpiry'] as const

export interface SpentToken {
  v: 1
}
