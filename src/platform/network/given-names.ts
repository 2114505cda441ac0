import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { TenantLanes } from '../turns/tenant-lanes.ts'
import type { LocalNames } from './local-names.ts'
import { isLocalhost, loopback } from './localhost.ts'

export interface GivenNamesOptions {
  /** Addresses of name servers; empty: those of the system. */
  servers: readonly string[]
  /** Where the operator opened private networks, their names count too. */
  local?: { get: () => Promise<LocalNames> }
}

/** Look-ups at a time: of one tenant, and of all. They take no thread, but a socket each. */
const ofTenant = 4
const lanes = 64
const mostLanes = 256
/** Names that wait for a lane. */
const mostWaiting = 2_000
/** Whoever asked has given up by then. */
const maxWaitMs = 10_000
/** Of one packet, and of a whole look-up with its repetitions and other name servers. */
const packetMs = 2_000
const lookupMs = 5_000
/** A name that does not exist is not asked for meanwhile, and one that nobody answers for. */
const absentMs = 30_000
const unansweredMs = 10_000
/** An answer that has addresses: for those who ask one after the other. */
const knownMs = 5_000
const maxRemembered = 10_000
/**
 * Addresses of each family that are looked at. An answer over TCP has room for thousands, and each of them would be
 * judged whenever a connection is made.
 */
const maxAddresses = 8

/**
 * Looks up names that customers gave. Their name servers may be silent on purpose, so each look-up ends, few of a
 * tenant run side by side, and none has a thread: dns.lookup, which the service's own names go through, has four for
 * the whole process, and cannot be cancelled. The answers come from c-ares.
 */
export class GivenNames {
  readonly #options: GivenNamesOptions
  readonly #lanes = new TenantLanes(mostWaiting, lanes, { share: ofTenant, most: mostLanes })
  /** Tenant and name -> the look-up that is under way, for everybody of the tenant who asks for the same. */
  readonly #pending = new Map<string, Promise<LookupAddress[]>>()
  /** Name -> its addresses, or why it has none, for a while; the oldest first. */
  readonly #remembered = new Map<string, { found: LookupAddress[] | Error, untilMs: number }>()

  /** Throws where a name server is not an address. */
  constructor (options: GivenNamesOptions) {
    this.#options = options
    this.#open()
  }

  /** Addresses of a name, some of many; rejects with `ENOTFOUND` or `EAI_AGAIN`, as dns.lookup does. */
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
          // A domain of the search list whose servers fail says nothing of the next one; silence takes all the time.
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

  /** A new one each time costs 24 us, and knows the name servers of now. */
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
 * Some of both families; empty when there is no such name, or it has no address. One family that is not answered for is left
 * out.
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

/** What c-ares says of names that are not there, or are none. */
function isAbsence ({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME'
}

function again (text: string, cause?: unknown): Error {
  return Object.assign(new Error(text, { cause }), { code: 'EAI_AGAIN' })
}
