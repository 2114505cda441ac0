import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import { ConnectorError } from './connector-error.ts'

/** What another try may mend within moments; a longer absence is for the job's own schedule. */
const passing: ReadonlySet<ConnectorCode> = new Set(['RATE_LIMITED', 'NETWORK_ERROR', 'PROVIDER_UNAVAILABLE'])

const pausesMs = [200, 800]

/** Runs `request`, and again after each pause while it fails in a way that may pass. */
export async function withRetries<T> (request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ConnectorError) || !passing.has(error.code)) throw error
    }
    // Jitter keeps many workers from coming back at the same moment.
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal })
  }
  return await request()
}
