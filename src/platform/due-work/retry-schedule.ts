import { ConfigError } from '../config.ts'

/**
 * Pauses are shortened or lengthened at random by up to this share, so that an endpoint does not get all retries at
 * once.
 */
const jitter = 0.2
/** An endpoint may ask for a longer pause than ours, up to this one. */
const maxRetryAfterMs = 1_200_000

/** The times at which attempts are made, for work that may fail for a while. */
export class RetrySchedule {
  readonly #pausesMs: readonly number[]
  readonly #random: () => number

  /** `seconds`: the pauses before the attempts, as a comma list. Throws ConfigError, naming `setting`. */
  constructor (setting: string, seconds: string, random: () => number = Math.random) {
    const texts = seconds.split(',').map((text) => text.trim())
    if (!texts.every((text) => /^\d{1,7}(?:\.\d{1,3})?$/.test(text))) {
      throw new ConfigError(`TABCAST_${setting}=${seconds}: must be a comma list of seconds such as 0,5,30`)
    }
    this.#pausesMs = texts.map((text) => Number(text) * 1000)
    this.#random = random
  }

  /** null: no attempt is left before the job expires. `retryAfterMs`: the pause that the endpoint asked for. */
  next (attemptsMade: number, nowMs: number, expiresAtMs: number, retryAfterMs = 0): number | null {
    const pauseMs = this.#pausesMs[attemptsMade]
    if (pauseMs === undefined) return null
    const varied = pauseMs * (1 + jitter * (2 * this.#random() - 1))
    const dueMs = nowMs + Math.round(Math.max(varied, Math.min(retryAfterMs, maxRetryAfterMs)))
    return dueMs < expiresAtMs ? dueMs : null
  }
}
