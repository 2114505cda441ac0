import { Type } from 'typebox'

/** Of every answer that is a file. */
export const fileHeaders = { 'Content-Disposition': Type.String({ description: 'Always an attachment, with the name of the file.' }) }

export function fileContent (...contentTypes: string[]) {
  const schema = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
  return Object.fromEntries(contentTypes.map((contentType) => [contentType, { schema }]))
}
