import type { ConnectionDataset } from '../../domain/connection.ts'
import type { ConnectionTest, SourceColumn, SourceValidation,
  StoredObjectPage } from '../../domain/connector-results.ts'
import type { DatasetInspection } from '../../domain/dataset-inspection.ts'
import type { Compression, SourceFormat } from '../../domain/files.ts'
import type { TableLimits } from '../../domain/limits.ts'

/** A part of a source as it was read. */
export interface SourcePart {
  key: string
  etag: string
  bytes: number
}

/** A source as files, in the order of their keys. */
export interface SourceFiles {
  paths: string[]
  bytes: number
  parts: SourcePart[]
  /** Parts of which the store says neither ETag nor time: one that is replaced meanwhile is not noticed. */
  unpinned: number
}

export interface ReadOptions {
  /** An empty folder for the files. */
  folder: string
  /** Told how many bytes there are before any is read, and no more are written; rejects where they may not be. */
  reserve?: (bytes: number) => Promise<void>
}

export interface InspectOptions {
  paths: string[]
  format: SourceFormat
  compression: Compression | null
  dataset: ConnectionDataset
  limits: TableLimits
}

/**
 * Reads files as one table and says what is in them; computed in a slot process. Rejects with a ConnectorError when
 * they cannot be read at all (`contentFailure` gives its code).
 */
export type Inspect = (options: InspectOptions) => Promise<DatasetInspection>

export interface InspectSource extends ReadOptions {
  dataset: ConnectionDataset
  limits: TableLimits
  inspect: Inspect
}

export interface OutputFile {
  path: string
  key: string
  bytes: number
  /** Lowercase hex. */
  sha256: string
  contentType: string
  jobId: string
  allowOverwrite: boolean
}

export interface WrittenObject {
  uri: string
  bytes: number
  /** An earlier attempt of the same job had written these very bytes. */
  alreadyThere: boolean
}

/** What the service does with a customer's store. Every operation rejects with a ConnectorError and nothing else. */
export interface Connector {
  /** A target that fails is a result, not an error. */
  testConnection(): Promise<ConnectionTest>
  /** One page; it may be short, because keys that the pattern does not match are left out. */
  listObjects(page: { limit: number, startAfter: string }): Promise<StoredObjectPage>
  estimateSize(): Promise<{ objects: number, bytes: number }>
  /** All columns, whether those of the dataset are among them or not. */
  inferSchema(source: InspectSource): Promise<SourceColumn[]>
  /** Reads the beginning of a source that is too long to be read while somebody waits. */
  validateSource(source: InspectSource): Promise<SourceValidation>
  readData(options: ReadOptions): Promise<SourceFiles>
  /** Never replaces another object unless it is allowed to. */
  writeOutput(output: OutputFile): Promise<WrittenObject>
  close(): void
}
