import type { FileFormat } from '../../domain/files.ts'
import type { JobSpec } from '../../domain/job.ts'
import { TabcastError } from '../../platform/errors.ts'

const formats = new Map<string, FileFormat>([['.csv', 'csv'], ['.parquet', 'parquet'], ['.xls', 'xls'], ['.xlsx',
  'xlsx']])
const taken = 'Upload a .csv, .parquet, .xls or .xlsx file.'

/** The format by file extension. Throws validation_error (415). */
export function formatOfFilename (filename: string): FileFormat {
  const extension = /\.[a-z0-9]+$/i.exec(filename)?.[0].toLowerCase() ?? ''
  const format = formats.get(extension)
  if (format !== undefined) return format
  const isJson = extension === '.json' || extension === '.jsonl'
  throw new TabcastError('validation_error',
    isJson ? 'JSON is not taken as an upload.' : 'Files of this type are not taken.', {
    status: 415,
    suggestion: isJson ? `Convert the rows to CSV, or read them over a data connection. ${taken}` : taken
  })
}

/** Only spreadsheets have sheets. Throws validation_error (422) for another format. */
export function checkSheetName (format: FileFormat, { sheetName }: JobSpec,
  at: Array<string | number> = ['body']): void {
  if (sheetName === undefined || format === 'xls' || format === 'xlsx') return
  const error = 'a sheet can be named for .xls and .xlsx files only'
  throw new TabcastError('validation_error', undefined, {
    fields: [{ loc: [...at, 'sheet_name'], msg: error, type: 'value_error', input: sheetName, ctx: { error } }]
  })
}

interface Magic {
  name: string
  bytes: Buffer
}

const parquet: Magic = { name: 'a Parquet file', bytes: Buffer.from('PAR1') }
const zip: Magic = { name: 'a spreadsheet or zip archive', bytes: Buffer.from([0x50, 0x4b, 0x03, 0x04]) }
/** Old workbooks, and new ones with a password, both of which the engine recognises. */
const compound: Magic = { name: 'a spreadsheet of the old kind', bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) }
const foreignMagics: readonly Magic[] = [
  parquet,
  zip,
  compound,
  { name: 'a gzip file', bytes: Buffer.from([0x1f, 0x8b]) },
  { name: 'a zstd file', bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) }
]

/** The first bytes of each format. Text may begin with anything that is not one of these. */
const ownMagics: Partial<Record<FileFormat, { name: string, magics: readonly Magic[] }>> = {
  parquet: { name: 'a Parquet file', magics: [parquet] },
  xls: { name: 'a spreadsheet of the old kind', magics: [compound] },
  xlsx: { name: 'an .xlsx spreadsheet', magics: [zip, compound] }
}

/**
 * Compares the first and last bytes with the format. Throws validation_error: 400 for an empty file, 415 for another
 * format.
 */
export function checkMagicBytes (format: FileFormat, file: { bytes: number, head: Buffer, tail: Buffer }): void {
  if (file.bytes === 0) {
    throw new TabcastError('validation_error', 'The file is empty.', {
      status: 400,
      suggestion: 'Upload a file with a header and rows of data.'
    })
  }
  const own = ownMagics[format]
  const foreign = foreignMagics.find((magic) => begins(file.head, magic))
  if (own === undefined && foreign !== undefined) {
    throw mismatch(`The file is named .${format} but is ${foreign.name}.`,
      'Upload it under its own extension, or as plain CSV.')
  }
  if (own !== undefined && !own.magics.some((magic) => begins(file.head, magic))) {
    throw mismatch(`The file is named .${format} but is not ${own.name}.`, 'Upload it under its own extension.')
  }
  if (format === 'parquet' && !file.tail.subarray(-4).equals(parquet.bytes)) {
    throw mismatch('The Parquet file is cut off.', 'Upload the whole file.')
  }
}

function begins (head: Buffer, { bytes }: Magic): boolean {
  return head.subarray(0, bytes.length).equals(bytes)
}

function mismatch (detail: string, suggestion: string): TabcastError {
  return new TabcastError('validation_error', detail, { status: 415, suggestion })
}
