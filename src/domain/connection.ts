import type { Compression, SourceFormat } from './files.ts'
import type { DatasetColumns, HierarchyColumns } from './forecast-spec.ts'
import type { Sealed } from './sealed.ts'

/** A source in a tenant's own store. */
export interface ConnectedSource {
  connection: ConnectionInput
}

/** An object that the service itself wrote. An object of another size under the same key has replaced it. */
export interface DeliveredObject {
  key: string
  bytes: number
}

export type AuthMethod = 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'

/** Where a connection leads, without its secrets. */
export interface ObjectStorage {
  /**
   * Free text of the customer. The service does not rely on it, but on what it saw the store do (`StoreCapabilities`).
   */
  provider: string | null
  bucket: string
  /** Ends with a slash, or is empty: all objects under it. Otherwise the key of a single object. */
  prefix: string
  keyPattern: string | null
  /** null: AWS. */
  endpointUrl: string | null
  region: string
  authMethod: AuthMethod
  fileFormat: SourceFormat
  compression: Compression | null
  roleArn: string | null
  externalId: string | null
}

/** How the store behaved when it was tested; null: not known. */
export interface StoreCapabilities {
  /** Whether `If-None-Match: *` keeps an object from being replaced. */
  conditionalPut: boolean | null
  versioning: boolean | null
}

/** A connection as it is sent to a worker: its secrets stay sealed until they are used. */
export interface ConnectionInput {
  tenant: string
  connectionId: string
  objectStorage: ObjectStorage
  /** Envelopes by field, each bound to tenant, connection and field. */
  credentials: Record<string, Sealed>
  capabilities: StoreCapabilities
  /** Results that the service wrote among the objects of the source. They do not belong to the source. */
  delivered: readonly DeliveredObject[]
}

/** The columns that a source should have, and other facts about its data. */
export interface ConnectionDataset {
  columns: Required<DatasetColumns>
  /** Absent: the item id column names the series of a row. */
  hierarchy?: HierarchyColumns
  /** Canonical alias; null: the frequency is inferred. */
  freq: string | null
}
