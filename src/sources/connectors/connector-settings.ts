import type { Config } from '../../platform/config.ts'
import { connectorPolicy } from '../../platform/network/connector-policy.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'

/** The operator's settings for connections. */
export interface ConnectorSettings {
  policy: NetworkPolicy
  /** A request is given up after this much silence. */
  timeoutMs: number
  maxBytes: number
  /** The most bytes that one request may write. */
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
