import type { FileFormat } from './engine-documents.ts'

export type { Compression, FileFormat, TableFormat } from './engine-documents.ts'

export type SourceFormat = 'csv' | 'json' | 'jsonl' | 'parquet'

/** Formats in which a table may be written back. */
export type OutputFormat = 'csv' | 'json' | 'jsonl' | 'parquet'

/** A file in our object store. */
export interface StoredFile {
  key: string
  format: FileFormat
  bytes: number
}

/** A fine-tuned model in our object store. */
export interface ModelFile {
  modelId: string
  key: string
  bytes: number
  sha256: string
}

export interface ResultFile {
  /** What follows the run in its key, e.g. `forecast.csv` or `explainability/summary.json`. */
  name: string
  contentType: string
  bytes: number
  sha256: string
  /** Of a table that is too large to be written as CSV too: about how many bytes that would have. */
  csvBytes?: number
}
