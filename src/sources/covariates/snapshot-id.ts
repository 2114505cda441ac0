import { createHash } from 'node:crypto'
import type { Observations } from './observations.ts'

/** Equal values with equal publication times give the same id. */
export function snapshotId ({ variable, frequency, validTimeMs, values, publishedAtMs }: Observations): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([variable, frequency, values.length]))
  for (const column of [validTimeMs, values, publishedAtMs]) {
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  }
  return `sha256:${hash.digest('hex')}`
}
