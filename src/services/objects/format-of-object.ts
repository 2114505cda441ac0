import type { FileFormat } from '../../domain/files.ts'
import { formatOfFilename } from '../forecasts/input-format.ts'
import { mediaType } from './content-types.ts'

const formats = new Map<string, FileFormat>([
  ['text/csv', 'csv'],
  ['application/vnd.apache.parquet', 'parquet'],
  ['application/x-parquet', 'parquet'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx']
])

/** The format by extension, or by content type for a name without one. Throws validation_error (415). */
export function formatOfObject (filename: string, contentType: string): FileFormat {
  const format = formats.get(mediaType(contentType))
  return format === undefined || filename.includes('.') ? formatOfFilename(filename) : format
}
