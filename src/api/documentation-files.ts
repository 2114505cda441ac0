import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'

export interface DocumentationFile {
  type: string
  bytes: Buffer
  /** The value of the ETag header, with quotes. It is the same on every machine that has these bytes. */
  etag: string
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml'
}

/**
 * The files of the pages under /docs, by name, read into memory once. Sent from disk, each would keep a file open for
 * as long as a client does not read it.
 */
export async function readDocumentationFiles (): Promise<ReadonlyMap<string, DocumentationFile>> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  const files = new Map<string, DocumentationFile>()
  for (const name of await readdir(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const bytes = await readFile(join(folder, name))
    files.set(name, { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` })
  }
  return files
}

/** Whether a client has the file already, by its If-None-Match (RFC 9110, 13.1.2). */
export function isKnown ({ etag }: DocumentationFile, ifNoneMatch = ''): boolean {
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}
