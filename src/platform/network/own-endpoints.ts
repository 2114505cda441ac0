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
 * Where this service's own parts listen: HTTP API, metrics, object store, NATS. Customers' addresses never lead there,
 * even if an allowed network covers them.
 */
export class OwnEndpoints {
  readonly #endpoints: readonly Endpoint[]

  constructor (config: OwnAddresses) {
    const http = { host: config.HOST, port: config.PORT }
    const metrics = { host: config.METRICS_HOST, port: config.METRICS_PORT }
    this.#endpoints = [http, metrics, ...endpointsOf(config.S3_ENDPOINT), ...endpointsOf(config.NATS_URL)]
  }

  /** Compares names and literal addresses, without a resolver. */
  isNamed (host: string, port: number): boolean {
    return this.#endpoints.some((own) => own.port === port && (sameHost(own.host, host) || sameMachine(own.host, host)))
  }

  /**
   * Returns a check of whether an address is ours at this port. Our own names are resolved again for each connection,
   * because their addresses may change, but only once for all addresses of that connection.
   */
  async at (port: number, resolve: Resolve): Promise<(address: string) => boolean> {
    const ours: string[] = []
    for (const own of this.#endpoints.filter((endpoint) => endpoint.port === port)) {
      if (isIP(own.host) === 0) ours.push(...(await resolve(own.host)).map((found) => found.address))
      else ours.push(own.host)
    }
    if (ours.length === 0) return () => false
    const machine = addressesOfMachine()
    const isOnMachine = ours.some((one) => isThisMachine(one, machine))
    return (address) => ours.some((one) => sameHost(one, address)) || (isOnMachine && isThisMachine(address, machine))
  }
}

/** An IPv4 address may be written as an IPv6 one. */
function sameHost (one: string, other: string): boolean {
  return plainAddress(one) === plainAddress(other)
}

/** A server that listens on one address of this machine may listen on the others as well. */
function sameMachine (one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  const machine = addressesOfMachine()
  return isThisMachine(one, machine) && isThisMachine(other, machine)
}

function isThisMachine (address: string, machine: ReadonlySet<string>): boolean {
  return addressKind(address) === 'loopback' || address === '::' || machine.has(plainAddress(address))
}

/** Asking the system for its addresses takes longer than the rest of the comparison. */
function addressesOfMachine (): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? [])
  return new Set(['0.0.0.0', ...all.map(({ address }) => plainAddress(address))])
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

/** The host name without the brackets of an IPv6 address. */
export function bareHost (url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
}
