import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'
import { addressKind, plainAddress } from './address-ranges.ts'
import type { Resolve } from './resolve.ts'

interface Endpoint {
  host: string
  port: number
}

/** The settings that say where the service's own parts listen. */
export type OwnAddresses = Pick<Config, 'HOST' | 'PORT' | 'METRICS_HOST' | 'METRICS_PORT' | 'S3_ENDPOINT' | 'NATS_URL'>

/**
 * Where this service's own parts listen: HTTP interface, metrics, object store, NATS. Customers' addresses never lead
 * there, not even when a network of the operator's list covers them.
 */
export class OwnEndpoints {
  readonly #endpoints: readonly Endpoint[]

  constructor (config: OwnAddresses) {
    const http = { host: config.HOST, port: config.PORT }
    const metrics = { host: config.METRICS_HOST, port: config.METRICS_PORT }
    this.#endpoints = [http, metrics, ...endpointsOf(config.S3_ENDPOINT), ...endpointsOf(config.NATS_URL)]
  }

  /** By name or literal address, without asking a resolver. */
  isNamed (host: string, port: number): boolean {
    return this.#endpoints.some((own) => own.port === port && (sameHost(own.host, host) || sameMachine(own.host, host)))
  }

  /** By address: names of ours are resolved again each time, as their addresses may move. */
  async covers (address: string, port: number, resolve: Resolve): Promise<boolean> {
    for (const own of this.#endpoints.filter((endpoint) => endpoint.port === port)) {
      const addresses = isIP(own.host) === 0 ? (await resolve(own.host)).map((found) => found.address) : [own.host]
      if (addresses.some((one) => sameHost(one, address) || sameMachine(one, address))) return true
    }
    return false
  }
}

/** An IPv4 address may be written as an IPv6 one. */
function sameHost (one: string, other: string): boolean {
  return plainAddress(one) === plainAddress(other)
}

/** A server that listens on one address of this machine may listen on the others as well. */
function sameMachine (one: string, other: string): boolean {
  return isThisMachine(one) && isThisMachine(other)
}

function isThisMachine (address: string): boolean {
  if (isIP(address) === 0) return false
  if (addressKind(address) === 'loopback' || plainAddress(address) === '0.0.0.0' || address === '::') return true
  return Object.values(networkInterfaces()).some((interfaces) =>
    interfaces?.some((own) => sameHost(own.address, address))
  )
}

/** NATS takes a comma list of servers, with or without a scheme. */
function endpointsOf (setting: string): Endpoint[] {
  return setting.split(',').map((one) => one.trim()).filter((one) => one !== '').map((one) => {
    const url = new URL(one.includes('://') ? one : `nats://${one}`)
    const port = url.port === '' ? defaultPorts[url.protocol] ?? 4222 : Number(url.port)
    return { host: bareHost(url), port }
  })
}

export const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Without the brackets of an IPv6 address. */
export function bareHost (url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
}
