import type { LookupAddress } from 'node:dns'
import type { Agent } from 'node:http'
import { isIP, type BlockList } from 'node:net'
import { addressKind, contains } from './address-ranges.ts'
import { GuardedHttpAgent, GuardedHttpsAgent, type GuardedAgentOptions } from './guarded-agents.ts'
import { isLocalhost } from './localhost.ts'
import { NetworkRefusal } from './network-refusal.ts'
import { bareHost, defaultPorts, type OwnEndpoints } from './own-endpoints.ts'
import { systemResolve, type Resolve } from './resolve.ts'

export interface NetworkRules {
  schemes: ReadonlyArray<'http:' | 'https:'>
  /** Allowed ports; null: all. */
  ports: readonly number[] | null
  /** Networks that are allowed although they are not public. */
  networks: BlockList
  /** Hosts that are allowed whatever their address, port and scheme. */
  isOpenHost: (host: string, port: number) => boolean
  own: OwnEndpoints
  /** Resolves names that customers gave, whose name servers may be theirs too; absent: all names are the operator's. */
  resolveCustomerHost?: Resolve
  /** Resolves the names of open hosts and of the service itself; absent: as the system does. */
  resolve?: Resolve
}

export const maxUrlLength = 2048

/**
 * Decides where outgoing requests may go if somebody else chose the address. `checkUrl` checks everything that can be
 * checked without a resolver. The rest happens for each connection: the name is resolved once, every address is
 * checked, and only allowed addresses are connected to, so that a second answer of the name server changes nothing.
 */
export class NetworkPolicy {
  readonly #rules: NetworkRules
  readonly #resolve: Resolve

  constructor (rules: NetworkRules) {
    this.#rules = rules
    this.#resolve = rules.resolve ?? systemResolve
  }

  /** Throws NetworkRefusal. */
  checkUrl (text: string): URL {
    const url = parse(text)
    const host = bareHost(url)
    const port = url.port === '' ? defaultPorts[url.protocol] ?? 0 : Number(url.port)
    if (!['http:', 'https:'].includes(url.protocol)) throw new NetworkRefusal('scheme')
    if (port === 0) throw new NetworkRefusal('port')
    const { schemes, ports, isOpenHost, own } = this.#rules
    if (!isOpenHost(host, port)) {
      if (!schemes.includes(url.protocol as 'http:')) throw new NetworkRefusal('scheme')
      if (ports !== null && !ports.includes(port)) throw new NetworkRefusal('port')
    }
    const address = isLocalhost(host) ? '127.0.0.1' : host
    if (own.isNamed(host, port) || own.isNamed(address, port)) throw new NetworkRefusal('address')
    if (isIP(address) !== 0 && !this.#permits(host, address, port)) throw new NetworkRefusal('address')
    return url
  }

  /**
   * The addresses of the host that may be connected to, at least one. Rejects with a NetworkRefusal, or as the resolver
   * does. `tenant`: the owner of the name.
   */
  async resolve (host: string, port: number, tenant?: string): Promise<LookupAddress[]> {
    const family = isIP(host)
    const found = family === 0 ? await this.#lookUp(host.toLowerCase(), port, tenant) : [{ address: host, family }]
    const permitted = found.filter(({ address }) => this.#permits(host, address, port))
    if (permitted.length === 0) throw new NetworkRefusal('address')
    const isOwn = await this.#rules.own.at(port, this.#resolve)
    const others = permitted.filter(({ address }) => !isOwn(address))
    if (others.length === 0) throw new NetworkRefusal('address')
    return others
  }

  /**
   * For node:http and node:https. The agent ignores proxies in the environment. The caller must not follow redirects.
   */
  agent (protocol: string, options: GuardedAgentOptions = {}): Agent {
    return protocol === 'https:' ? new GuardedHttpsAgent(this, options) : new GuardedHttpAgent(this, options)
  }

  /** The second line of defence, once a connection stands: is the other end an address that the host may have? */
  permitsPeer (host: string, port: number, address: string): boolean {
    return this.#permits(host, address, port) && !this.#rules.own.isNamed(address, port)
  }

  async #lookUp (host: string, port: number, tenant: string | undefined): Promise<LookupAddress[]> {
    const { isOpenHost, resolveCustomerHost = this.#resolve } = this.#rules
    return isOpenHost(host, port) ? await this.#resolve(host) : await resolveCustomerHost(host, tenant)
  }

  #permits (host: string, address: string, port: number): boolean {
    const kind = addressKind(address)
    if (kind === 'metadata') return false
    return kind === 'public' || this.#rules.isOpenHost(host.toLowerCase(), port) ||
      contains(this.#rules.networks, address)
  }
}

/**
 * Refuses texts that the URL standard accepts but resolvers may read differently: numbers that become addresses, hidden
 * separators, a dot at the end.
 */
function parse (text: string): URL {
  if (text.length > maxUrlLength) throw new NetworkRefusal('too_long')
  if (/[\s\\\p{Control}]/u.test(text) || !URL.canParse(text)) throw new NetworkRefusal('malformed')
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) throw new NetworkRefusal('malformed')
  const url = new URL(text)
  if (authority.includes('@')) throw new NetworkRefusal('userinfo')
  if (text.includes('#')) throw new NetworkRefusal('fragment')
  const host = bareHost(url)
  const literal = isIP(host)
  if (literal === 4 && authority.replace(/:\d*$/, '') !== host) throw new NetworkRefusal('host')
  if (literal === 0 && !isHostName(host)) throw new NetworkRefusal('host')
  return url
}

/**
 * Labels of letters, digits, hyphens and underscores, of which the last is not a number. International names arrive
 * here in their ASCII form.
 */
function isHostName (host: string): boolean {
  return host.length <= 253 &&
    /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host) &&
    !/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host)
}
