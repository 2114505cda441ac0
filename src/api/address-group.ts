/**
 * The caller that an address stands for. For IPv6 it is the network (/64), because a host may change the lower half of
 * its address at will.
 */
export function addressGroup (address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined
    ? []
    : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16)).join(':')
}
