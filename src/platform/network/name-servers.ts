import { ConfigError } from '../config.ts'
import { CustomerHostNames } from './customer-host-names.ts'
import { SystemNames } from './local-names.ts'
import type { Resolve } from './resolve.ts'

/**
 * Looks up host names that customers gave, at the configured name servers. `isOpened`: names of private networks count
 * too. Throws ConfigError.
 */
export function resolveCustomerHost (nameServers: string, isOpened: boolean): Resolve {
  const servers = nameServers.split(',').map((server) => server.trim()).filter((server) => server !== '')
  try {
    const names = new CustomerHostNames({ servers, ...(isOpened ? { local: new SystemNames() } : {}) })
    return (host, tenant) => names.resolve(host, tenant)
  } catch (cause) {
    throw new ConfigError(
      `TABCAST_NAME_SERVERS=${nameServers}: ${
        (cause as Error).message
      }; a name server looks like 10.1.0.2, 10.1.0.2:5353 or [fd00::2]:53`,
      { cause }
    )
  }
}
