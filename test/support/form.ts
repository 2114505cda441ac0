/** The body of a multipart form for `inject`, with its headers; a file comes at the place where its field stands. */
export function form (
  fields: Array<[name: string, value: string] | [name: string, content: string | Buffer, filename: string]>
) {
  const boundary = 'tabcast-test-boundary'
  const parts = fields.map(([name, value, filename]) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${
          filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`
        }\r\n\r\n`
      ),
      Buffer.from(value),
      Buffer.from('\r\n')
    ])
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  }
}
