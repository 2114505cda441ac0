import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { TenantLanes } from '../turns/tenant-lanes.ts'
import type { LocalNames } from './local-names.ts'
import { isLocalhost, loopback } from './localhost.ts'

export interface CustomerHostNamesOptions {
  /** Addresses of name servers; empty: those of the system. */
  servers: readonly string[]
  /** Set if the operator allows private networks; then the names of this machine's files count too. */
  local?: { get: () => Promise<LocalNames> }
}

/** The most look-ups at a time: of one tenant, and of all. Each takes a socket but no thread. */
const ofTenant = 4
const lanes = 64
const mostLanes = 256
/** How many names may wait for a lane. */
const mostWaiting = 2_000
/** After this time, whoever asked has given up. */
const maxWaitMs = 10_000
/** Time limits of one packet, and of a whole look-up with its retries and further name servers. */
const packetMs = 2_000
const lookupMs = 5_000
/** How long it is remembered that a name does not exist, or that no name server answered for it. */
const absentMs = 30_000
const unansweredMs = 10_000
/** How long found addresses are remembered, for connections that follow each other. */
const knownMs = 5_000
const maxRemembered = 10_000
/**
 * How many addresses of each family are looked at. An answer over TCP can hold thousands, and each would be checked for
 * every connection.
 */
const maxAddresses = 8

/**
 * Looks up host names that customers gave. Their name servers may stay silent on purpose, so every look-up has a time
 * limit, few of a tenant run side by side, and none takes a thread. The service's own names go through dns.lookup,
 * which has four threads for the whole process and cannot be cancelled. The answers here come from c-ares.
 */
export class CustomerHostNames {
  readonly #options: CustomerHostNamesOptions
  readonly #lanes = new TenantLanes(mostWaiting, lanes, { share: ofTenant, most: mostLanes })
  /** Look-ups in progress, by tenant and name; further requests of the tenant for the same name share them. */
  readonly #pending = new Map<string, Promise<LookupAddress[]>>()
  /**
   * Results that are remembered for a while, by name: addresses, or the reason why there are none. The oldest come
   * first.
   */
  readonly #remembered = new Map<string, { found: LookupAddress[] | Error, untilMs: number }>()

  /** Throws if a name server is not an address. */
  constructor (options: CustomerHostNamesOptions) {
    this.#options = options
    this.#open()
  }

  /** Addresses of a name, not necessarily all. Rejects with `ENOTFOUND` or `EAI_AGAIN`, as dns.lookup does. */
  async resolve (host: string, tenant: string | undefined): Promise<LookupAddress[]> {
    if (isLocalhost(host)) return [...loopback]
    const remembered = this.#remembered.get(host)
    if (remembered !== undefined && performance.now() < remembered.untilMs) {
      if (remembered.found instanceof Error) throw remembered.found
      return remembered.found
    }
    const key = JSON.stringify([tenant, host])
    const pending = this.#pending.get(key) ?? this.#begin(host, tenant).finally(() => this.#pending.delete(key))
    this.#pending.set(key, pending)
    return await pending
  }

  async #begin (host: string, tenant: string | undefined): Promise<LookupAddress[]> {
    const askedMs = performance.now()
    const found = await this.#lanes.take(tenant, async () => {
      if (performance.now() - askedMs > maxWaitMs) throw again('too many names are looked up')
      try {
        const found = await this.#find(host)
        this.#remember(host, found, knownMs)
        return found
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        this.#remember(host, error as Error, code === 'ENOTFOUND' ? absentMs : unansweredMs)
        throw error
      }
    })
    if (found === undefined) throw again('too many names are looked up')
    return found
  }

  async #find (host: string): Promise<LookupAddress[]> {
    const local = await this.#options.local?.get()
    const known = local?.addresses(host) ?? []
    if (known.length > 0) return [...known]
    const resolver = this.#open()
    const timer = setTimeout(() => resolver.cancel(), lookupMs)
    try {
      let failed: Error | undefined
      for (const name of local?.fullNames(host) ?? [host]) {
        const found = await addressesOf(resolver, name).catch((error: Error) => {
          // If the servers of one search domain fail, the next one may still answer; silent servers use up the time.
          if ((error.cause as NodeJS.ErrnoException).code !== 'ESERVFAIL') throw error
          failed = error
          return []
        })
        if (found.length > 0) return found
      }
      throw failed ?? Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Opening a resolver for each look-up costs 24 us, and follows changes of the system's name servers. */
  #open (): Resolver {
    const resolver = new Resolver({ timeout: packetMs, tries: 2 })
    if (this.#options.servers.length > 0) resolver.setServers(this.#options.servers)
    return resolver
  }

  #remember (host: string, found: LookupAddress[] | Error, forMs: number): void {
    this.#remembered.delete(host)
    this.#remembered.set(host, { found, untilMs: performance.now() + forMs })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > maxRemembered && oldest !== undefined) this.#remembered.delete(oldest)
  }
}

/**
 * Some addresses of both families; empty if the name does not exist or has no address. If only one family is answered,
 * the other is left out.
 */
async function addressesOf (resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'rejected'
      ? []
      : answer.value.slice(0, maxAddresses).map((address) => ({ address, family: index === 0 ? 4 : 6 }))
  )
  if (found.length > 0) return found
  for (const answer of answers) {
    if (answer.status === 'rejected' && !isAbsence(answer.reason as NodeJS.ErrnoException)) {
      throw again('no name server answers', answer.reason)
    }
  }
  return []
}

/** The codes of c-ares for names that do not exist or are not valid. */
function isAbsence ({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME'
}

function again (text: string, cause?: unknown): Error {
  return Object.assign(new Error(text, { cause }), { code: 'EAI_AGAIN' })
}
