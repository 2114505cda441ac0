import type { BlockList } from 'node:net'
import { ConfigError, type SettingName } from '../config.ts'
import { blocks } from './address-ranges.ts'

/** Parses a comma list of networks and single addresses. Throws ConfigError. */
export function networkList (setting: SettingName, text: string): BlockList {
  try {
    return blocks(...entries(text))
  } catch (cause) {
    throw new ConfigError(
      `TABCAST_${setting}=${text}: ${(cause as Error).message}; a network looks like 10.1.0.0/16 or fd00::/8`,
      { cause }
    )
  }
}

/** Parses a comma list of host or host:port, with IPv6 addresses in brackets. Throws ConfigError. */
export function hostList (setting: SettingName, text: string): (host: string, port: number) => boolean {
  const open = new Map<string, Set<number> | 'any'>()
  for (const entry of entries(text.toLowerCase())) {
    const [, bracketed, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/@\s]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
    const host = bracketed ?? name
    if (host === undefined) {
      throw new ConfigError(`TABCAST_${setting}=${text}: ${JSON.stringify(entry)} is not a host or host:port`)
    }
    const known = open.get(host)
    if (port === undefined || known === 'any') open.set(host, 'any')
    else open.set(host, new Set([...known ?? [], Number(port)]))
  }
  return (host, port) => {
    const ports = open.get(host)
    return ports === 'any' || (ports?.has(port) ?? false)
  }
}

function entries (text: string): string[] {
  return text.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '')
}
