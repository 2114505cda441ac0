import { loadConfig } from '../platform/config.ts'
import { ServiceError } from './service-error.ts'
import { UsageError } from './usage-error.ts'
import { lostCode } from './with-retries.ts'

/**
 * Calls `work` with the address and key of the service: as given, or TABCAST_URL and TABCAST_API_KEY, or the port of
 * the local settings. When nothing answers, the error names the address.
 */
export async function reachService (given: { key?: string | undefined, url?: string | undefined },
  work: (service: { baseUrl: string, key: string }) => Promise<void>): Promise<void> {
  const key = given.key ?? (process.env['TABCAST_API_KEY'] || undefined)
  if (key === undefined) throw new UsageError('--key KEY is missing; it may stand in TABCAST_API_KEY')
  const baseUrl = given.url ?? (process.env['TABCAST_URL'] || `http://127.0.0.1:${loadConfig().PORT}`)
  try {
    await work({ baseUrl, key })
  } catch (error) {
    const code = error instanceof ServiceError ? undefined : lostCode(error)
    if (code === undefined) throw error
    throw new Error(`no answer from ${baseUrl} (${code}); --url or TABCAST_URL names another address`, { cause: error })
  }
}
