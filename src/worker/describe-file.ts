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

/** Name, size and SHA-256 of a finished file. */
export async function describeFile (path: string, contentType: string): Promise<ResultFile> {
  return { name: basename(path), contentType, ...await hashFile(path) }
}
