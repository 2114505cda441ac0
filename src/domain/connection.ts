import type { Compression, SourceFormat } from './files.ts'
import type { DatasetColumns, HierarchyColumns } from './forecast-spec.ts'
import type { Sealed } from './sealed.ts'

/** A source in a tenant's own store. */
export interface ConnectedSource {
  connection: ConnectionInput
}

/** An object that the service wrote itself; one of another size under the key is not it any more. */
export interface DeliveredObject {
  key: string
  bytes: number
}

export type AuthMethod = 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'

/** Where a connection leads, without its secrets. */
export interface ObjectStorage {
  /** Free text of the customer; behaviour comes from what the store was seen to do. */
  provider: string | null
  bucket: string
  /** With a slash at its end, or empty: all objects under it. Else one object's key. */
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

/** What a store was seen to do; null: not known. */
export interface StoreCapabilities {
  /** `If-None-Match: *` keeps an object from being replaced. */
  conditionalPut: boolean | null
  versioning: boolean | null
}

/** A connection as it travels to a worker: the secrets stay sealed until they are used. */
export interface ConnectionInput {
  tenant: string
  connectionId: string
  objectStorage: ObjectStorage
  /** Field -> envelope, bound to tenant, connection and field. */
  credentials: Record<string, Sealed>
  capabilities: StoreCapabilities
  /** Results among the objects of the source; they are no part of it. */
  delivered: readonly DeliveredObject[]
}

/** Which columns a source should have, and what is known of them. */
export interface ConnectionDataset {
  columns: Required<DatasetColumns>
  /** Absent: the item id column says which series a row belongs to. */
  hierarchy?: HierarchyColumns
  /** Canonical alias, or null to infer it. */
  freq: string | null
}
