/**
 * The caller that an address stands for. For IPv6 it is the network (/64), because a host may change the lower half of
 * its address at will.
 */
export function addressGroup (address: string): string {
  return address.includes(':') && !address.includes('.') ? leadingParts(address, 4) : address
}

/** The network that a site gets from its provider, which may have many callers: /48 for IPv6, /24 for IPv4. */
export function networkOf (address: string): string {
  if (address.includes('.')) return address.slice(0, address.lastIndexOf('.'))
  return address.includes(':') ? leadingParts(address, 3) : address
}

function leadingParts (address: string, count: number): string {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined
    ? []
    : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, count).map((part) => Number.parseInt(part, 16).toString(16)).join(':')
}
