import { TabcastError } from '../errors.ts'
import type { FileFormat } from '../queue/messages.ts'

const formats = new Map<string, FileFormat>([['.csv', 'csv'], ['.parquet', 'parquet']])

/** From the extension. Throws validation_error (415). */
export function formatOfFilename (filename: string): FileFormat {
  const extension = /\.[a-z0-9]+$/i.exec(filename)?.[0].toLowerCase() ?? ''
  const format = formats.get(extension)
  if (format !== undefined) return format
  const isSheet = extension === '.xls' || extension === '.xlsx'
  throw new TabcastError('validation_error', isSheet ? 'Spreadsheets are not taken yet on this release.' : 'Files of this type are not taken.', {
    status: 415, suggestion: isSheet ? 'Save the sheet as .csv and upload that.' : 'Upload a .csv or .parquet file.'
  })
}

interface Magic { name: string, bytes: Buffer }

const foreignMagics: readonly Magic[] = [
  { name: 'a Parquet file', bytes: Buffer.from('PAR1') },
  { name: 'a spreadsheet or zip archive', bytes: Buffer.from([0x50, 0x4b, 0x03, 0x04]) },
  { name: 'a spreadsheet of the old kind', bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) },
  { name: 'a gzip file', bytes: Buffer.from([0x1f, 0x8b]) },
  { name: 'a zstd file', bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) }
]
const parquetMagic = 'PAR1'

/** Compares the first and last bytes with what the name promises. Throws validation_error: 400 for an empty file, 415 for another kind. */
export function checkMagicBytes (format: FileFormat, file: { bytes: number, head: Buffer, tail: Buffer }): void {
  if (file.bytes === 0) throw new TabcastError('validation_error', 'The file is empty.', { status: 400, suggestion: 'Upload a file with a header and at least two rows a series.' })
  if (format === 'csv') {
    const foreign = foreignMagics.find(({ bytes }) => file.head.subarray(0, bytes.length).equals(bytes))
    if (foreign !== undefined) throw mismatch(`The file is named .csv but is ${foreign.name}.`, 'Upload it under its own extension, or as plain CSV.')
  } else if (file.head.subarray(0, 4).toString('latin1') !== parquetMagic) {
    throw mismatch('The file is named .parquet but is not a Parquet file.', 'Upload it under its own extension.')
  } else if (file.tail.subarray(-4).toString('latin1') !== parquetMagic) {
    throw mismatch('The Parquet file is cut off.', 'Upload the whole file.')
  }
}

function mismatch (detail: string, suggestion: string): TabcastError {
  return new TabcastError('validation_error', detail, { status: 415, suggestion })
}
