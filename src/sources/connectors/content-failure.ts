import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { ContentError } from '../../domain/content-error.ts'

const codes: Readonly<Record<string, ConnectorCode>> = {
  decompression_limit: 'DECOMPRESSION_LIMIT',
  unsupported_compression: 'UNSUPPORTED_COMPRESSION',
  format_mismatch: 'FORMAT_MISMATCH',
  unsupported_encoding: 'UNSUPPORTED_FORMAT',
  unsupported_type: 'UNSUPPORTED_FORMAT',
  nested_column: 'UNSUPPORTED_FORMAT',
  encrypted_file: 'UNSUPPORTED_FORMAT',
  corrupt_file: 'CORRUPT_DATA',
  nul_bytes: 'CORRUPT_DATA',
  ragged_row: 'CORRUPT_DATA',
  empty_file: 'EMPTY_SOURCE',
  no_rows: 'EMPTY_SOURCE'
}

/** Turns the engine's finding about the content of a source into a connector's code. */
export function contentFailure ({ code, status }: ContentError): ConnectorCode {
  return codes[code] ?? (status === 413 ? 'DATASET_TOO_LARGE' : 'SCHEMA_MISMATCH')
}
