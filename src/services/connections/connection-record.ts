import type { AuthMethod, ObjectStorage, StoreCapabilities } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { SourceColumn } from '../../domain/connector-results.ts'
import type { Sealed } from '../../domain/sealed.ts'

export const connectionStatuses = ['untested', 'connected', 'failed', 'disabled'] as const
export type ConnectionStatus = typeof connectionStatuses[number]

/** Times are milliseconds since 1970, UTC. Secrets are stored only as envelopes. */
export interface ConnectionRecord {
  v: 1
  connectionId: string
  tenant: string
  connectorType: string
  name: string
  objectStorage: ObjectStorage
  /** Field -> envelope, bound to [tenant, connection id, field]. Empty when the method has no secrets. */
  credentials: Record<string, Sealed>
  credential: CredentialSummary
  status: ConnectionStatus
  /**
   * Raised whenever the destination or the credentials change, which makes results of tests that began before invalid.
   */
  target: number
  capabilities: StoreCapabilities
  createdAtMs: number
  updatedAtMs: number
  lastTestedAtMs: number | null
  lastErrorCode: ConnectorCode | null
  /** Only in records of releases before the table `sourceSchemas`. */
  lastSchema?: SourceSchema | null
}

export interface SourceSchema {
  fingerprint: string
  columns: SourceColumn[]
}

/** The part of the credentials that may be shown. */
export interface CredentialSummary {
  authMethod: AuthMethod
  /** The last four characters of the access key id. */
  hint: string | null
  createdAtMs: number
  rotatedAtMs: number | null
}

const idShape = /^conn_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export function isConnectionId (text: string): boolean {
  return idShape.test(text)
}

/** The key of the keyring that wraps the credentials; null when there are none. */
export function keyVersion ({ credentials }: ConnectionRecord): string | null {
  return Object.values(credentials)[0]?.kekId ?? null
}
