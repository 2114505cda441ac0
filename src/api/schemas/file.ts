import { Type } from 'typebox'

/** For every answer that is a file. */
export const fileHeaders = {
  'Content-Disposition': Type.String({ description: 'Always an attachment, with the name of the file.' })
}

export function fileContent (...contentTypes: string[]) {
  const schema = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
  return Object.fromEntries(contentTypes.map((contentType) => [contentType, { schema }]))
}

/** The table in a form. */
export const tableFile = Type.String({
  format: 'binary',
  description:
    'The table; its file name ends in .csv, .parquet, .xls or .xlsx. A header, and a row for each thing: its label, ' +
    'and what the label may follow from.'
})

/** The dataset in a form. */
export const datasetFile = Type.String({
  format: 'binary',
  description:
    'The dataset; its file name ends in .csv, .parquet, .xls or .xlsx. Long format: one row for each series and ' +
    'time, at least two values a series.'
})
