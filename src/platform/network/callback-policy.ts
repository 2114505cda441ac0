import type { Config } from '../config.ts'
import { hostList, networkList } from './allow-lists.ts'
import { resolveCustomerHost } from './name-servers.ts'
import { NetworkPolicy } from './network-policy.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import type { Resolve } from './resolve.ts'
import { defined } from '../defined.ts'

/**
 * For callbacks: https to public addresses on the usual ports, and to the hosts that the operator allows. Throws
 * ConfigError.
 */
export function callbackPolicy (config: Config, resolve?: Resolve): NetworkPolicy {
  return new NetworkPolicy({
    schemes: ['https:'],
    ports: [443, 8443],
    networks: networkList('CALLBACK_ALLOW_CIDRS', config.CALLBACK_ALLOW_CIDRS),
    isOpenHost: hostList('CALLBACK_ALLOW_HOSTS', config.CALLBACK_ALLOW_HOSTS),
    own: new OwnEndpoints(config),
    resolveCustomerHost: resolve ?? resolveCustomerHost(config.NAME_SERVERS, config.CALLBACK_ALLOW_CIDRS !== ''),
    ...defined({ resolve })
  })
}
