import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CatalogKey {
  kind: string
  provider?: string
  key: string
  variables: string[]
  freq: string
  /** CSV, its header included. */
  rows: string[]
  change?: object
}

/** Writes one key of a mounted catalogue, in place of what was there. */
export async function writeCatalogKey (root: string,
  { kind, provider = 'mirror', key, variables, freq, rows, change = {} }: CatalogKey): Promise<void> {
  const folder = join(root, kind, provider, key)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const text = `${rows.join('\n')}\n`
  const manifest = {
    schema_version: 1,
    kind,
    provider,
    key,
    variables: variables.map((name) => ({ name, unit: 'one' })),
    freq,
    timezone: 'UTC',
    coverage: { start: '2020-01-01', end: '2030-01-01' },
    vintages: true,
    license: 'CC BY 4.0',
    generated_at: '2025-06-01T00:00:00Z',
    parts: [{ file: 'part-0001.csv', sha256: createHash('sha256').update(text).digest('hex') }],
    ...change
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'part-0001.csv'), text)
}
