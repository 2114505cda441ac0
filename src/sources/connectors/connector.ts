import type { ConnectionDataset } from '../../domain/connection.ts'
import type { ConnectionTest, SourceColumn, SourceValidation,
  StoredObjectPage } from '../../domain/connector-results.ts'
import type { DatasetInspection } from '../../domain/dataset-inspection.ts'
import type { Compression, SourceFormat } from '../../domain/files.ts'
import type { TableLimits } from '../../domain/limits.ts'

/** A part of a source, as it was read. */
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
  /** Parts for which the store gives neither ETag nor time: if one is replaced during the read, nobody notices. */
  unpinned: number
}

export interface ReadOptions {
  /** An empty folder for the files. */
  folder: string
  /**
   * Called with the number of bytes before anything is read; no more are written. Rejects if there is no space for
   * them.
   */
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
 * Reads files as one table and describes them; it computes in a slot process. Rejects with a ConnectorError if they
 * cannot be read at all (`contentFailure` gives its code).
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
  /** An earlier attempt of the same job had already written these bytes. */
  alreadyThere: boolean
}

/** The operations on a customer's store. Every one of them rejects with a ConnectorError and nothing else. */
export interface Connector {
  /** A target that fails the test is a result, not an error. */
  testConnection(): Promise<ConnectionTest>
  /** Lists one page. It may be short, because keys that do not match the pattern are left out. */
  listObjects(page: { limit: number, startAfter: string }): Promise<StoredObjectPage>
  estimateSize(): Promise<{ objects: number, bytes: number }>
  /** All columns, whether or not the dataset names them. */
  inferSchema(source: InspectSource): Promise<SourceColumn[]>
  /** If a source is too long to read while a client waits, only its beginning is read. */
  validateSource(source: InspectSource): Promise<SourceValidation>
  readData(options: ReadOptions): Promise<SourceFiles>
  /** Replaces another object only if that is allowed. */
  writeOutput(output: OutputFile): Promise<WrittenObject>
  close(): void
}
