import type { FileFormat } from './engine-documents.ts'

export type { Compression, FileFormat, TableFormat } from './engine-documents.ts'

export type SourceFormat = 'csv' | 'json' | 'jsonl' | 'parquet'

/** Formats in which a table may be written to a customer's store. */
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
  /** The number of features that it makes of each step; absent in records of earlier builds. */
  features?: number
}

export interface ResultFile {
  /** The part of the key after the run, e.g. `forecast.csv` or `explainability/summary.json`. */
  name: string
  contentType: string
  bytes: number
  sha256: string
  /** Set if the table was too large to be written as CSV too: the size that a CSV would have, roughly. */
  csvBytes?: number
}
