const paths = { forecast: '/forecast', classify: '/v2/classify', regress: '/v2/regress' } as const

/** The same option as a field of the ordinary route. */
const oneSeries = ['preparation', '{"series_columns": []}'] as const

export type Kind = keyof typeof paths

/** A shell command for the same request with the visitor's own key. */
export function curlCommand (
  baseUrl: string,
  kind: Kind,
  filename: string,
  fields: ReadonlyArray<readonly [string, string]>
): string {
  const parts = [
    `curl ${quoted(baseUrl + paths[kind])}`,
    '-H "Authorization: Bearer $TABCAST_API_KEY"',
    `-F ${quoted(`file=@"${filename.replaceAll(/["\\]/g, '\\$&')}"`)}`,
    ...fields.map((field) => field[0] === 'one_series' ? oneSeries : field).map(([name, value]) =>
      `--form-string ${quoted(`${name}=${value}`)}`
    )
  ]
  return parts.join(' \\\n  ')
}

function quoted (text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
