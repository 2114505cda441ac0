/** Whom an address speaks for: of IPv6 its network, as a host may change the lower half of its address at will. */
export function addressGroup (address: string): string {
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
}
