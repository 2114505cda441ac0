import type { StoreCapabilities } from '../domain/connection.ts'
import { connectorCodes } from '../domain/connector-codes.ts'
import type { StoredObjectPage } from '../domain/connector-results.ts'
import type { AuditRecord } from '../services/connections/audit-trail.ts'
import { keyVersion, type ConnectionRecord } from '../services/connections/connection-record.ts'
import type { TestedConnection, ValidatedSource } from '../services/connections/connection-service.ts'

/** The connection as clients see it. Each field is picked by name, so that no envelope can leak. */
export function renderConnection (record: ConnectionRecord) {
  const { objectStorage: storage, credential } = record
  return {
    connection_id: record.connectionId,
    connector_type: record.connectorType,
    name: record.name,
    object_storage: {
      provider: storage.provider,
      bucket: storage.bucket,
      prefix: storage.prefix,
      key_pattern: storage.keyPattern,
      endpoint_url: storage.endpointUrl,
      region: storage.region,
      auth_method: storage.authMethod,
      file_format: storage.fileFormat,
      compression: storage.compression,
      role_arn: storage.roleArn,
      external_id: storage.externalId
    },
    credential: {
      auth_method: credential.authMethod,
      hint: credential.hint === null ? null : `****${credential.hint}`,
      key_version: keyVersion(record),
      created_at: time(credential.createdAtMs),
      rotated_at: optionalTime(credential.rotatedAtMs)
    },
    status: record.status,
    capabilities: renderCapabilities(record.capabilities),
    created_at: time(record.createdAtMs),
    updated_at: time(record.updatedAtMs),
    last_tested_at: optionalTime(record.lastTestedAtMs),
    last_error_code: record.lastErrorCode
  }
}

export function renderTest ({ record, test, checkedAtMs, errorCode }: TestedConnection) {
  const failure = errorCode === null ? null : connectorCodes[errorCode]
  return {
    connection_id: record.connectionId,
    status: record.status,
    ok: errorCode === null,
    checked_at: time(checkedAtMs),
    latency_ms: test.latencyMs,
    checks: test.checks.map(({ name, status, errorCode: code }) => ({ name, status, error_code: code })),
    capabilities: renderCapabilities(test.capabilities),
    error_code: errorCode,
    error: failure?.text ?? null,
    retryable: failure?.retryable ?? false
  }
}

export function renderValidation (connectionId: string, { validation, checks, drift }: ValidatedSource) {
  return {
    connection_id: connectionId,
    valid: checks.every(({ status }) => status !== 'failed'),
    row_count: validation.rowCount,
    num_items: validation.numItems,
    bytes_read: validation.bytesRead,
    truncated: validation.truncated,
    columns: validation.columns.map(({ name, type, nulls }) => ({ name, type, nulls })),
    inferred_frequency: validation.inferredFrequency,
    min_length: validation.minLength,
    max_length: validation.maxLength,
    start: validation.start,
    end: validation.end,
    checks: checks.map(({ check, status, count, sampleRows, message }) => ({
      check,
      status,
      count,
      sample_rows: sampleRows,
      message
    })),
    schema_fingerprint: validation.schemaFingerprint,
    schema_drift: {
      drifted: drift.drifted,
      added: drift.added,
      removed: drift.removed,
      type_changed: drift.typeChanged
    },
    warnings: validation.warnings.map(({ code, message, count }) => ({ code, message, count }))
  }
}

export function renderObjects (connectionId: string, { objects }: StoredObjectPage, nextCursor: string | null) {
  return {
    connection_id: connectionId,
    objects: objects.map(({ key, bytes, modified, etag }) => ({ key, size: bytes, modified, etag })),
    next_cursor: nextCursor
  }
}

/** As JSON text in one pass, because a page has up to 1,000 records. */
export function renderAuditText (connectionId: string, records: readonly AuditRecord[],
  nextCursor: string | null): string {
  return JSON.stringify({
    connection_id: connectionId,
    records: records.map((record) => ({
      audit_id: record.auditId,
      timestamp: time(record.atMs),
      action: record.action,
      outcome: record.outcome,
      actor: record.keyId,
      job_id: record.jobId,
      object_uri: record.objectUri,
      bytes: record.bytes,
      rows: record.rows,
      error_code: record.errorCode,
      request_id: record.requestId,
      prev_hash: record.prevHash
    })),
    next_cursor: nextCursor
  })
}

function renderCapabilities ({ conditionalPut, versioning }: StoreCapabilities) {
  return { conditional_put: conditionalPut, versioning }
}

function time (ms: number): string {
  return new Date(ms).toISOString()
}

function optionalTime (ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
