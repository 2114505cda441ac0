import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { ConnectorCode } from '../domain/connector-codes.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import type { ResultFile } from '../domain/files.ts'
import type { JobResult, SourceRead } from '../domain/job-result.ts'
import { messageVersion } from '../domain/message-version.ts'
import { encodeResult } from '../platform/queue/index.ts'
import type { EventMessage, JobMessage } from '../platform/queue/job-messages.ts'
import { resultKey, runPrefix } from '../platform/store/keys.ts'
import type { ManyEntry, ObjectStore } from '../platform/store/object-store.ts'
import type { PipelineResult } from './slot-messages.ts'
import { defined } from '../platform/defined.ts'

/** How a run ended, before any of it is published. */
export type RunOutcome =
  /** `cleanUp` removes the folder, once its files are stored or no longer wanted. */
  | { code: null, result: PipelineResult, source?: SourceRead, folder: string, cleanUp: () => Promise<void> }
  | { code: ErrorCode, error: string, source?: SourceRead, connectorCode?: ConnectorCode }

/**
 * Stores the outputs first and `result.cbor` last, so whoever finds that object finds the outputs too. Returns its
 * hash. It is safe to repeat while the files exist, so files are not moved. A local store shares their bytes: a copy
 * would take the disk twice.
 */
export async function publishOutcome (store: ObjectStore, job: JobMessage, run: string,
  outcome: RunOutcome): Promise<string> {
  const bytes = encodeResult(toResult(job, run, outcome))
  if (outcome.code === null) {
    const { folder, result } = outcome
    for (const [prefix, entries] of byFolder(runPrefix(job.outputPrefix, run), folder, result.files)) {
      await store.putMany(prefix, entries)
    }
  }
  await store.putBytes(resultKey(job.outputPrefix, run), bytes)
  return createHash('sha256').update(bytes).digest('hex')
}

/** Groups the files, because the store takes the files of one folder at a time. */
function byFolder (prefix: string, folder: string, files: readonly ResultFile[]): Map<string, ManyEntry[]> {
  const folders = new Map<string, ManyEntry[]>()
  for (const { name } of files) {
    const parent = dirname(name)
    const key = parent === '.' ? prefix : `${prefix}${parent}/`
    folders.set(key, [...folders.get(key) ?? [], { name: basename(name), path: join(folder, name), share: true }])
  }
  return folders
}

export function toEvent (job: JobMessage, run: string, code: ErrorCode | null, error: string | null,
  resultSha256: string | null): EventMessage {
  return { v: messageVersion, jobId: job.jobId, tenant: job.tenant, run, code, resultSha256, error }
}

function toResult (job: JobMessage, run: string, outcome: RunOutcome): JobResult {
  const head = { v: messageVersion, jobId: job.jobId, run, ...defined({ source: outcome.source }) }
  if (outcome.code !== null) {
    const code = defined({ connectorCode: outcome.connectorCode })
    return {
      ...head,
      ...code,
      code: outcome.code,
      error: outcome.error,
      files: [],
      numItems: null,
      datasetHash: null,
      timings: {},
      warnings: []
    }
  }
  return { ...head, code: null, error: null, ...outcome.result }
}
