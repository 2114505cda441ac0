import { Type } from 'typebox'

/** For every answer that is a file. */
export const fileHeaders = {
  'Content-Disposition': Type.String({ description: 'Always an attachment with the name of the file.' })
}

export function fileContent (...contentTypes: string[]) {
  const schema = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
  return Object.fromEntries(contentTypes.map((contentType) => [contentType, { schema }]))
}

/** The table in a form. */
export const tableFile = Type.String({
  format: 'binary',
  description:
    'The table; its file name ends in .csv, .parquet, .xls or .xlsx. It has a header. Each row has a label, and the ' +
    'columns to predict it from.'
})

/** The dataset in a form. */
export const datasetFile = Type.String({
  format: 'binary',
  description:
    'The dataset; its file name ends in .csv, .parquet, .xls or .xlsx. It has one row for each series and time, and ' +
    'at least two values for each series.'
})
