import { Type } from 'typebox'
import { connectorCodes } from '../../domain/connector-codes.ts'
import { closedObject } from '../../platform/closed-object.ts'
import { auditOutcomes } from '../../services/audit/audit-log.ts'
import { auditActions } from '../../services/connections/audit-trail.ts'
import { connectionStatuses } from '../../services/connections/connection-record.ts'
import { authMethods, compressions, credentialsSchema, objectStorageChangeSchema, objectStorageSchema,
  sourceFormats } from '../../services/connections/object-storage.ts'
import { reconciliation } from '../../services/forecasts/blocks/reconciliation.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time' })
const text = (description?: string) => nullable(Type.String(), description)
const connectorCode = nullable(Type.Enum(Object.keys(connectorCodes)), 'What is wrong with the store.')
const name = Type.String({ minLength: 1, maxLength: 200 })

export const connectorTypes = ['s3_compatible', 's3', 'object_storage'] as const

export const newConnectionSchema = closedObject({
  connector_type: Type.Enum(connectorTypes, { description: 'All three name the S3-compatible connector.' }),
  name,
  object_storage: objectStorageSchema
})

export const connectionChangeSchema = closedObject({
  name: Type.Optional(name),
  object_storage: Type.Optional(objectStorageChangeSchema)
}, { minProperties: 1 })

export const newCredentialsSchema = closedObject({ credentials: credentialsSchema })

const column = (description: string, defaultName: string) =>
  Type.String({ minLength: 1, maxLength: 255, default: defaultName, description })

export const datasetSchema = closedObject({
  item_id_column: column('Column that names the series.', 'item_id'),
  timestamp_column: column('Column with the time stamps.', 'timestamp'),
  target_column: column('Column with the values to forecast.', 'target'),
  freq: Type.Optional(
    Type.Union([Type.String({ maxLength: 16 }), Type.Null()], {
      description: 'Frequency as a pandas alias; null or left out: inferred.'
    })
  ),
  known_covariates: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    default: [],
    description: 'Columns whose values for the horizon are known.'
  }),
  reconciliation: Type.Optional(
    Type.Union([reconciliation, Type.Null()], {
      description: 'The same block as in a forecast. If it is enabled, its hierarchy columns are checked too.'
    })
  )
})

const capabilities = Type.Object({
  conditional_put: nullable(Type.Boolean(),
    'Whether the store itself refuses to replace an object; null: not tested, or writing is not allowed.'),
  versioning: nullable(Type.Boolean())
})

export const connectionSchema = Type.Object({
  connection_id: Type.String(),
  connector_type: Type.String(),
  name: Type.String(),
  object_storage: Type.Object({
    provider: text(),
    bucket: Type.String(),
    prefix: text(),
    key_pattern: text(),
    endpoint_url: text(),
    region: Type.String(),
    auth_method: Type.Enum(authMethods),
    file_format: Type.Enum(sourceFormats),
    compression: nullable(Type.Enum(compressions)),
    role_arn: text(),
    external_id: text()
  }),
  credential: Type.Object({
    auth_method: Type.Enum(authMethods),
    hint: text('The last four characters of the access key id, masked.'),
    key_version: text('Id of the keyring key that encrypts the secrets.'),
    created_at: time,
    rotated_at: nullable(time)
  }, { description: 'The public part of the credentials. Secrets are never returned.' }),
  status: Type.Enum(connectionStatuses),
  capabilities,
  created_at: time,
  updated_at: time,
  last_tested_at: nullable(time),
  last_error_code: connectorCode
}, { $id: 'Connection' })

export const connectionListSchema = Type.Object({
  connections: Type.Array(Type.Ref('Connection')),
  next_cursor: text('Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'ConnectionList' })

export const connectionTestSchema = Type.Object({
  connection_id: Type.String(),
  status: Type.Enum(connectionStatuses),
  ok: Type.Boolean({ description: 'If the store fails, this is false; the answer is not an error.' }),
  checked_at: time,
  latency_ms: Type.Integer({ description: 'Milliseconds for the listing.' }),
  checks: Type.Array(Type.Object({
    name: Type.Enum(['policy', 'dns', 'tls', 'authenticate', 'list', 'read', 'write']),
    status: Type.Enum(['passed', 'failed', 'skipped']),
    error_code: connectorCode
  })),
  capabilities,
  error_code: connectorCode,
  error: text(),
  retryable: Type.Boolean()
}, { $id: 'ConnectionTest' })

const check = Type.Object({
  check: Type.String(),
  status: Type.Enum(['passed', 'warning', 'failed']),
  count: Type.Integer(),
  sample_rows: Type.Array(Type.Integer(), { description: 'At most five rows, counted from 1.' }),
  message: Type.String()
})

export const sourceValidationSchema = Type.Object({
  connection_id: Type.String(),
  valid: Type.Boolean({ description: 'No check failed.' }),
  row_count: nullable(Type.Integer(), 'null, like the five figures below, if a required column is missing.'),
  num_items: nullable(Type.Integer()),
  bytes_read: Type.Integer(),
  truncated: Type.Boolean({ description: 'Only the beginning of the source was read.' }),
  columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), nulls: Type.Integer() })),
  inferred_frequency: text(),
  min_length: nullable(Type.Integer()),
  max_length: nullable(Type.Integer()),
  start: text(),
  end: text(),
  checks: Type.Array(check),
  schema_fingerprint: Type.String(),
  schema_drift: Type.Object({
    drifted: Type.Boolean(),
    added: Type.Array(Type.String()),
    removed: Type.Array(Type.String()),
    type_changed: Type.Array(Type.String())
  }, { description: 'Compared with the previous validation.' }),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), count: Type.Integer() }))
}, { $id: 'SourceValidation' })

export const storedObjectsSchema = Type.Object({
  connection_id: Type.String(),
  objects: Type.Array(Type.Object({ key: Type.String(), size: Type.Integer(), modified: time, etag: Type.String() })),
  next_cursor: text('A page can be short or empty although more pages follow.')
}, { $id: 'ConnectionObjects' })

export const auditSchema = Type.Object({
  connection_id: Type.String(),
  records: Type.Array(Type.Object({
    audit_id: Type.String(),
    timestamp: time,
    action: Type.Enum(auditActions),
    outcome: Type.Enum(auditOutcomes),
    actor: Type.String({ description: 'Id of the key that made the request.' }),
    job_id: text(),
    object_uri: text(),
    bytes: nullable(Type.Integer()),
    rows: nullable(Type.Integer()),
    error_code: connectorCode,
    request_id: Type.String(),
    prev_hash: Type.String({ description: 'SHA-256 of the previous record; empty for the first.' })
  })),
  next_cursor: text()
}, { $id: 'ConnectionAudit', description: 'Newest first.' })

export const connectionSchemas = [connectionSchema, connectionListSchema, connectionTestSchema, sourceValidationSchema,
  storedObjectsSchema, auditSchema]
