import type { Config } from '../config.ts'
import { networkList } from './allow-lists.ts'
import { resolveCustomerHost } from './name-servers.ts'
import { NetworkPolicy } from './network-policy.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import type { Resolve } from './resolve.ts'
import { defined } from '../defined.ts'

/**
 * For customers' stores: public addresses and the networks that the operator allows, on any port. Throws ConfigError.
 */
export function connectorPolicy (config: Config, resolve?: Resolve): NetworkPolicy {
  return new NetworkPolicy({
    schemes: ['http:', 'https:'],
    ports: null,
    networks: networkList('CONNECTOR_ALLOW_CIDRS', config.CONNECTOR_ALLOW_CIDRS),
    isOpenHost: () => false,
    own: new OwnEndpoints(config),
    resolveCustomerHost: resolve ?? resolveCustomerHost(config.NAME_SERVERS, config.CONNECTOR_ALLOW_CIDRS !== ''),
    ...defined({ resolve })
  })
}
