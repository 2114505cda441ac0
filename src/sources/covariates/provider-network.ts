import type { OwnAddresses } from '../../platform/network/own-endpoints.ts'
import { providerPolicy } from '../../platform/network/provider-policy.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { DiskCache } from './http/disk-cache.ts'
import { HttpSource } from './http/http-source.ts'
import { ProviderRequests } from './http/provider-requests.ts'
import { RequestQuota } from './http/request-quota.ts'
import type { ProviderEntry } from './providers-file.ts'
import { defined } from '../../platform/defined.ts'

export interface NetworkOptions {
  entries: readonly ProviderEntry[]
  config: OwnAddresses
  /**
   * The folder in which answers outlive the process, and the function to call if it cannot be used; absent: memory
   * only.
   */
  diskCache?: { folder: string, onFailure: (error: Error) => void }
}

/** The limit of answers kept in memory. */
const cacheBytes = 128 * 1024 * 1024
const diskCacheBytes = 1024 * 1024 * 1024
const retryPausesMs = [500, 2000]
/** If a provider asks for a longer pause, it is given up. */
const maxWaitMs = 30_000
/** The wait for a turn within a quota is limited only by the time of the job. */
const maxTurnMs = 24 * 3_600_000

/** The connections to the providers of the operator's file: each of their addresses, with its key, quota and cache. */
export class ProviderNetwork {
  /** Counts the requests that went over the network. */
  readonly requests = new ProviderRequests()
  readonly #sources = new Map<string, HttpSource>()

  constructor ({ entries, config, diskCache }: NetworkOptions) {
    const policy = providerPolicy(config, entries.flatMap(addressesOf))
    const cache = new AnswerCache(cacheBytes)
    const maxBodyBytes = Math.max(0, ...entries.map((entry) => entry.max_answer_bytes))
    const stored = diskCache === undefined
      ? {}
      : { diskCache: new DiskCache({ ...diskCache, maxBytes: diskCacheBytes, maxBodyBytes }) }
    for (const entry of entries) {
      const { id, timeout_ms: timeoutMs, max_answer_bytes: maxBytes } = entry
      const quota = new RequestQuota(entry.requests_per_minute)
      const rest = {
        id,
        secrets: secretsOf(entry),
        policy,
        timeoutMs,
        maxBytes,
        quota,
        requests: this.requests,
        cache,
        ...stored,
        retryPausesMs,
        maxWaitMs,
        maxTurnMs
      }
      for (const baseUrl of addressesOf(entry)) {
        this.#sources.set(nameOf(id, baseUrl), new HttpSource({ baseUrl, ...rest }))
      }
    }
  }

  /** undefined: the operator's file has no such provider with that address. */
  source (id: string, baseUrl: string): HttpSource | undefined {
    return this.#sources.get(nameOf(id, baseUrl))
  }
}

/** The entry for a process that makes no requests. */
export function withoutSecrets (entry: ProviderEntry): ProviderEntry {
  switch (entry.type) {
    case 'open_meteo': {
      const { api_key: _key, ...rest } = entry
      return rest
    }
    case 'fred':
      return { ...entry, api_key: '' }
    case 'entsoe':
      return { ...entry, security_token: '' }
    default:
      return entry
  }
}

function secretsOf (entry: ProviderEntry): Record<string, string> {
  switch (entry.type) {
    case 'open_meteo':
      return defined({ apikey: entry.api_key })
    case 'fred':
      return { api_key: entry.api_key }
    case 'entsoe':
      return { securityToken: entry.security_token }
    default:
      return {}
  }
}

function addressesOf (entry: ProviderEntry): string[] {
  return entry.type === 'open_meteo' ? Object.values(entry.base_urls) : [entry.base_url]
}

function nameOf (id: string, baseUrl: string): string {
  return `${id} ${baseUrl}`
}
