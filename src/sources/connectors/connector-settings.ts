import type { Config } from '../../platform/config.ts'
import { connectorPolicy } from '../../platform/network/connector-policy.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'

/** What the operator decides about connections. */
export interface ConnectorSettings {
  policy: NetworkPolicy
  /** Silence after which a request is given up. */
  timeoutMs: number
  maxBytes: number
  /** What one request may write. */
  maxSinglePutBytes: number
  /** Whether connections may use this service's own identity. */
  ambientAuth: boolean
  /** Empty: the connection's endpoint, else AWS. */
  stsEndpoint: string
}

export function connectorSettings (config: Config): ConnectorSettings {
  return {
    policy: connectorPolicy(config),
    timeoutMs: config.CONNECTOR_TIMEOUT_MS,
    maxBytes: config.CONNECTOR_MAX_BYTES,
    maxSinglePutBytes: 5 * 1024 ** 3,
    ambientAuth: config.CONNECTOR_AMBIENT_AUTH,
    stsEndpoint: config.CONNECTOR_STS_ENDPOINT
  }
}
