import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ResultFile } from '../domain/files.ts'
import { hashFile } from '../platform/store/hash-file.ts'

export const csvType = 'text/csv; charset=utf-8'
export const htmlType = 'text/html; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
export const jsonLinesType = 'application/x-ndjson; charset=utf-8'
export const modelType = 'application/octet-stream'
export const svgType = 'image/svg+xml'
export const parquetType = 'application/octet-stream'

/** Smaller files are read at once, which takes less than the turns of the event loop that a stream needs. */
const largeBytes = 1024 * 1024

/** Name, size and SHA-256 of a finished file. */
export async function describeFile (path: string, contentType: string): Promise<ResultFile> {
  const head = { name: basename(path), contentType }
  if (statSync(path).size > largeBytes) return { ...head, ...await hashFile(path) }
  const content = readFileSync(path)
  return { ...head, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
