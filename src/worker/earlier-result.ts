import { createHash } from 'node:crypto'
import { maxReadResultBytes, type JobResult } from '../domain/job-result.ts'
import { decodeResult } from '../platform/queue/index.ts'
import { resultKey, runsIn } from '../platform/store/keys.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import { StoreError } from '../platform/store/store-error.ts'

export interface StoredResult {
  result: JobResult
  sha256: string
}

/**
 * The newest result in the store that an earlier run of this job left and that decides the job. Announcing it again
 * costs nothing, and computing again would give the same bytes. A run that failed only because the store was away
 * decides nothing. A result that is too large to read is computed again, within the bounds of this release.
 */
export async function findEarlierResult (store: ObjectStore, outputPrefix: string): Promise<StoredResult | undefined> {
  const runs = await runsIn(outputPrefix, store.list(outputPrefix))
  for (const run of runs.reverse()) {
    const bytes = await store.getBytes(resultKey(outputPrefix, run), maxReadResultBytes).catch((error: unknown) => {
      if (error instanceof StoreError && (error.code === 'not_found' || error.code === 'too_large')) return undefined
      throw error
    })
    if (bytes === undefined) continue
    const result = decodeResult(bytes)
    if (result.code !== 'storage_error') return { result, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  return undefined
}
