/**
 * Why a request is not made. `address`: the host is, or resolves to, an address that this deployment does not reach.
 * The message does not say which address, because that would map the network behind the service.
 */
export type RefusalReason = 'malformed' | 'too_long' | 'scheme' | 'port' | 'userinfo' | 'fragment' | 'host' | 'address'

const texts: Record<RefusalReason, string> = {
  malformed: 'not an absolute address',
  too_long: 'the address is too long',
  scheme: 'the scheme is not allowed',
  port: 'the port is not allowed',
  userinfo: 'user name and password are not allowed in an address',
  fragment: 'a fragment is not allowed',
  host: 'the host is not written as a name or as a plain address',
  address: 'the host is not allowed'
}

export class NetworkRefusal extends Error {
  override name = 'NetworkRefusal'
  readonly reason: RefusalReason

  constructor (reason: RefusalReason) {
    super(texts[reason])
    this.reason = reason
  }
}
