const paths = { forecast: '/forecast', classify: '/v2/classify', regress: '/v2/regress' } as const

export type Kind = keyof typeof paths

/** What asks for the same with a key of one's own, for a shell. */
export function curlCommand (
  baseUrl: string, kind: Kind, filename: string, fields: ReadonlyArray<readonly [string, string]>
): string {
  const parts = [
    `curl ${quoted(baseUrl + paths[kind])}`,
    '-H "Authorization: Bearer $TABCAST_API_KEY"',
    `-F ${quoted(`file=@"${filename.replaceAll(/["\\]/g, '\\$&')}"`)}`,
    ...fields.map(([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`)
  ]
  return parts.join(' \\\n  ')
}

function quoted (text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
