import type { ObjectStorage } from '../../domain/connection.ts'
import type { ConnectionRecord, CredentialSummary } from './connection-record.ts'
import type { CredentialsInput, ObjectStorageChange, ObjectStorageInput } from './object-storage.ts'

/** A change of these makes the connection untested again: it leads elsewhere, or has other rights. */
const targetFields = ['endpointUrl', 'provider', 'region', 'bucket', 'authMethod', 'roleArn',
  'externalId'] as const satisfies Array<keyof ObjectStorage>

/** These decide which data is read. */
const sourceFields = ['endpointUrl', 'region', 'bucket', 'prefix', 'keyPattern', 'fileFormat',
  'compression'] as const satisfies Array<keyof ObjectStorage>

/** The complete input that results from the change. */
export function mergeObjectStorage (stored: ObjectStorage, change: ObjectStorageChange): ObjectStorageInput {
  const keepsMethod = change.auth_method === undefined || change.auth_method === stored.authMethod
  const input: ObjectStorageInput = {
    provider: stored.provider,
    bucket: stored.bucket,
    prefix: stored.prefix,
    key_pattern: stored.keyPattern,
    endpoint_url: stored.endpointUrl,
    region: stored.region,
    auth_method: stored.authMethod,
    file_format: stored.fileFormat,
    compression: stored.compression,
    role_arn: keepsMethod ? stored.roleArn : null,
    external_id: keepsMethod ? stored.externalId : null
  }
  return { ...input, ...change }
}

/** Whether the connection reads another source, whose columns must not count as drift. */
export function readsOther (before: ObjectStorage, after: ObjectStorage): boolean {
  return sourceFields.some((field) => before[field] !== after[field])
}

/**
 * `sealed` are the envelopes of the new credentials. Without new ones, the stored ones stay as long as the method needs
 * any.
 */
export function redirect (
  record: ConnectionRecord,
  { objectStorage, credentials }: { objectStorage: ObjectStorage, credentials: CredentialsInput | null },
  sealed: ConnectionRecord['credentials']
): ConnectionRecord {
  const changesMethod = objectStorage.authMethod !== record.objectStorage.authMethod
  const isMoved = credentials !== null ||
    targetFields.some((field) => objectStorage[field] !== record.objectStorage[field])
  const next = { ...record, objectStorage }
  if (credentials !== null || changesMethod) {
    const fresh = summaryOf(objectStorage, credentials, record.updatedAtMs)
    next.credentials = sealed
    next.credential = changesMethod
      ? fresh
      : { ...fresh, createdAtMs: record.credential.createdAtMs, rotatedAtMs: record.updatedAtMs }
  }
  if (!isMoved) return next
  return {
    ...next,
    target: record.target + 1,
    status: 'untested',
    capabilities: { conditionalPut: null, versioning: null },
    lastErrorCode: null
  }
}

export function summaryOf ({ authMethod }: ObjectStorage, credentials: CredentialsInput | null,
  atMs: number): CredentialSummary {
  return {
    authMethod,
    hint: credentials === null ? null : hintOf(credentials.access_key_id),
    createdAtMs: atMs,
    rotatedAtMs: null
  }
}

/** An id that is hardly longer than its hint would be shown in full. */
function hintOf (accessKeyId: string): string {
  return accessKeyId.length >= 8 ? accessKeyId.slice(-4) : '****'
}
