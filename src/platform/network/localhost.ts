import type { LookupAddress } from 'node:dns'

/** Whether a name means this machine, whatever a name server says (RFC 6761). */
export function isLocalhost (host: string): boolean {
  return /(?:^|\.)localhost$|^localhost\.localdomain$|^ip6-l(?:ocalhost|oopback)$/.test(host)
}

export const loopback: readonly LookupAddress[] = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]
