import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instantText } from '../alignment/instant-text.ts'
import type { Manifest } from '../catalog/manifest.ts'
import type { Provider } from '../provider.ts'
import type { PublicationLag } from '../publication-lag.ts'
import type { KeyPath } from './bundle-index.ts'
import { coverageOf, type KeyRow, type KeyRows } from './key-rows.ts'

/** Keeps a part far below the largest size that the catalogue reads. */
const rowsOfPart = 500_000

/**
 * Writes a folder of the catalogue: parts as CSV, named by their checksum, with times in UTC, and the manifest. Returns
 * the manifest's checksum.
 */
export async function writeKey (folder: string, { kind, provider, key }: KeyPath, rows: KeyRows,
  about: { license: string, generatedAtMs: number, lagOf: Provider['lagOf'] }
): Promise<{ sha256: string, manifest: Manifest }> {
  await mkdir(folder, { recursive: true })
  const parts: Manifest['parts'] = []
  for (let from = 0; from < rows.rows.length; from += rowsOfPart) {
    const text = csvOf(rows.variables, rows.rows.slice(from, from + rowsOfPart))
    const sha256 = sha256Of(text)
    const file = `part-${sha256.slice(0, 16)}.csv`
    await writeFile(join(folder, file), text)
    parts.push({ file, sha256 })
  }
  const { startMs, endMs } = coverageOf(rows)
  const manifest: Manifest = {
    schema_version: 1,
    kind,
    provider,
    key,
    variables: rows.variables.map((name) => ({ name, unit: null, ...declared(about.lagOf(name)) })),
    freq: rows.frequency,
    timezone: 'UTC',
    coverage: { start: instantText(startMs), end: instantText(endMs) },
    vintages: rows.rows.some(({ issuedAtMs, publishedAtMs }) =>
      !Number.isNaN(issuedAtMs) || !Number.isNaN(publishedAtMs)
    ),
    license: about.license.slice(0, 500),
    generated_at: instantText(about.generatedAtMs),
    parts
  }
  const text = JSON.stringify(manifest, null, 2) + '\n'
  await writeFile(join(folder, 'manifest.json'), text)
  return { sha256: sha256Of(text), manifest }
}

/** A delay that was declared where the values were fetched also applies inside the bundle. */
function declared (lag: PublicationLag | null): { lag?: PublicationLag } {
  return lag === null ? {} : { lag }
}

function csvOf (variables: readonly string[], rows: readonly KeyRow[]): string {
  const hasIssue = rows.some(({ issuedAtMs }) => !Number.isNaN(issuedAtMs))
  const hasPublication = rows.some(({ publishedAtMs }) => !Number.isNaN(publishedAtMs))
  const lines = [
    ['valid_time', ...(hasIssue ? ['issued_at'] : []), ...(hasPublication ? ['published_at'] : []),
      ...variables.map(quoted)].join(',')
  ]
  const known = (time: number) => Number.isNaN(time) ? '' : instantText(time)
  for (const { validTimeMs, issuedAtMs, publishedAtMs, values } of rows) {
    const cells = [instantText(validTimeMs), ...(hasIssue ? [known(issuedAtMs)] : []),
      ...(hasPublication ? [known(publishedAtMs)] : [])]
    for (let place = 0; place < variables.length; place++) cells.push(String(values[place] ?? ''))
    lines.push(cells.join(','))
  }
  return lines.join('\n') + '\n'
}

function quoted (name: string): string {
  return /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}

function sha256Of (text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
