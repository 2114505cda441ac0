import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Header } from 'tar'

/** An entry of a tar as a stranger may write it; without a type a plain file. */
export interface TarEntry {
  path: string
  body?: string | Buffer
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  linkpath?: string
  size?: number
}

export function tarOf (entries: readonly TarEntry[]): Buffer {
  const blocks: Buffer[] = []
  for (const { path, body = '', type = 'File', linkpath, size } of entries) {
    const bytes = Buffer.from(body)
    const header = Buffer.alloc(512)
    new Header({
      path,
      type,
      size: size ?? bytes.length,
      mode: 0o644,
      uid: 0,
      gid: 0,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath })
    }).encode(header, 0)
    blocks.push(header, bytes, Buffer.alloc((512 - bytes.length % 512) % 512))
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export interface BundledFolder {
  path: string
  /** Parts by name; a name that says so gets the first 16 digits of its checksum. */
  parts: Record<string, string | Buffer>
  /** Changes of the manifest. */
  manifest?: object
}

export const sha256Of = (body: string | Buffer): string => createHash('sha256').update(body).digest('hex')

/** The entries of a bundle with these folders, all as it should be. */
export function bundleEntries (folders: readonly BundledFolder[], index: object = {}): TarEntry[] {
  const files: TarEntry[] = []
  const keys = folders.map(({ path, parts, manifest }) => {
    const [kind, provider, key] = path.split('/')
    const text = JSON.stringify({
      ...{
        schema_version: 1,
        kind,
        provider,
        key,
        variables: [{ name: 'temperature_2m', unit: null }],
        freq: 'PT1H',
        timezone: 'UTC'
      },
      ...{
        coverage: { start: '2025-01-01', end: '2025-02-01' },
        vintages: false,
        license: 'CC BY 4.0',
        generated_at: '2025-06-01T00:00:00Z'
      },
      parts: Object.entries(parts).map(([file, body]) => ({ file, sha256: sha256Of(body) })),
      ...manifest
    })
    files.push({ path: `${path}/manifest.json`, body: text },
      ...Object.entries(parts).map(([file, body]) => ({ path: `${path}/${file}`, body })))
    return { path, manifest_sha256: sha256Of(text) }
  })
  return [{
    path: 'bundle.json',
    body: JSON.stringify({ schema_version: 1, generated_at: '2025-06-01T00:00:00Z', release: '0.1.0', keys, ...index })
  }, ...files]
}

export async function writeTar (path: string, entries: readonly TarEntry[]): Promise<string> {
  await writeFile(path, tarOf(entries))
  return path
}
