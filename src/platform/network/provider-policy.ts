import { blocks } from './address-ranges.ts'
import { NetworkPolicy } from './network-policy.ts'
import { bareHost, defaultPorts, OwnEndpoints, type OwnAddresses } from './own-endpoints.ts'
import type { Resolve } from './resolve.ts'
import { defined } from '../defined.ts'

/**
 * For services that the operator names: providers of covariates, and the one that checks captcha tokens. The named
 * hosts are allowed on any network, because a mirror may be in a private one; other hosts only if they are public.
 * `baseUrls` are absolute.
 */
export function providerPolicy (config: OwnAddresses, baseUrls: readonly string[], resolve?: Resolve): NetworkPolicy {
  const open = new Set(baseUrls.map((text) => {
    const url = new URL(text)
    return `${bareHost(url)} ${url.port === '' ? defaultPorts[url.protocol] : url.port}`
  }))
  return new NetworkPolicy({
    schemes: ['https:'],
    ports: null,
    networks: blocks(),
    isOpenHost: (host, port) => open.has(`${host} ${port}`),
    own: new OwnEndpoints(config),
    ...defined({ resolve })
  })
}
