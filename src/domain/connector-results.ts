import type { StoreCapabilities } from './connection.ts'
import type { ConnectorCode } from './connector-codes.ts'
import type { CheckName, DatasetCheck, DatasetInspection } from './dataset-inspection.ts'

export interface ConnectorResults {
  test: ConnectionTest
  list: StoredObjectPage
  validate: SourceValidation
}

export type TestCheckName = 'policy' | 'dns' | 'tls' | 'authenticate' | 'list' | 'read' | 'write'

export interface ConnectionTest {
  latencyMs: number
  checks: Array<{ name: TestCheckName, status: 'passed' | 'failed' | 'skipped', errorCode: ConnectorCode | null }>
  capabilities: StoreCapabilities
}

export interface StoredObject {
  key: string
  bytes: number
  modified: string
  etag: string
}

export interface StoredObjectPage {
  objects: StoredObject[]
  /** Where the next page starts; null on the last page. */
  next: string | null
}

/** A check of the inspection, or the comparison with the previous validation. */
export type SourceCheck = Omit<DatasetCheck, 'check'> & { check: CheckName | 'schema_drift' }

export type SourceColumn = DatasetInspection['columns'][number]

export interface SourceValidation extends DatasetInspection {
  bytesRead: number
}
