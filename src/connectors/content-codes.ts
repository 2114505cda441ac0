import type { ConnectorCode } from './connector-error.ts'

/** What the engine's findings in the content of a source are called in the table of connector codes. */
const codes: ReadonlyMap<string, ConnectorCode> = new Map<string, ConnectorCode>([
  ['empty_file', 'EMPTY_SOURCE'],
  ['no_rows', 'EMPTY_SOURCE'],
  ['format_mismatch', 'FORMAT_MISMATCH'],
  ['unsupported_encoding', 'CORRUPT_DATA'],
  ['nul_bytes', 'CORRUPT_DATA'],
  ['corrupt_file', 'CORRUPT_DATA'],
  ['decompression_limit', 'DECOMPRESSION_LIMIT'],
  ['unsupported_compression', 'UNSUPPORTED_COMPRESSION'],
  ['unsupported_type', 'UNSUPPORTED_FORMAT'],
  ['nested_column', 'UNSUPPORTED_FORMAT'],
  ['missing_column', 'SCHEMA_MISMATCH'],
  ['duplicate_column', 'SCHEMA_MISMATCH'],
  ['schema_mismatch', 'SCHEMA_MISMATCH'],
  ['too_many_rows', 'DATASET_TOO_LARGE'],
  ['too_many_columns', 'DATASET_TOO_LARGE'],
  ['too_many_series', 'DATASET_TOO_LARGE'],
  ['too_many_points', 'DATASET_TOO_LARGE']
])

/** undefined: a fault of the values, which no connector code stands for. */
export function connectorCodeOf (contentCode: string): ConnectorCode | undefined {
  return codes.get(contentCode)
}
