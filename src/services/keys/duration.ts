import { KeyInputError } from './scopes.ts'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The input of `parseDurationMs`. */
export const durationShape = /^([1-9][0-9]{0,5})([smhd])$/

/** `90d`, `12h`, `30m` or `45s` in milliseconds. */
export function parseDurationMs (text: string): number {
  const match = durationShape.exec(text)
  const unit = unitMs[match?.[2] ?? '']
  if (match === null || unit === undefined) {
    throw new KeyInputError(`duration ${JSON.stringify(text)}: a whole number with s, m, h or d, such as 90d`)
  }
  return Number(match[1]) * unit
}
