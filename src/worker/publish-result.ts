import { createHash } from 'node:crypto'
import type { ConnectorCode } from '../domain/connector-codes.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import type { JobResult, SourceRead } from '../domain/job-result.ts'
import { messageVersion } from '../domain/message-version.ts'
import { encodeResult } from '../platform/queue/index.ts'
import type { EventMessage, JobMessage } from '../platform/queue/job-messages.ts'
import { resultKey, resultName, runPrefix } from '../platform/store/keys.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import type { PipelineResult } from './slot-messages.ts'
import { defined } from '../platform/defined.ts'

/** How a run ended, before any of it is published. */
export type RunOutcome =
  /** `cleanUp` removes what is left of the folder, once its files are stored or no longer wanted. */
  | { code: null, result: PipelineResult, source?: SourceRead, folder: string, cleanUp: () => Promise<void> }
  | { code: ErrorCode, error: string, source?: SourceRead, connectorCode?: ConnectorCode }

/**
 * Stores the outputs and `result.cbor`, so that whoever finds that object finds the outputs too. Returns its hash. It
 * is safe to repeat. A local store takes the folder as it is.
 */
export async function publishOutcome (store: ObjectStore, job: JobMessage, run: string,
  outcome: RunOutcome): Promise<string> {
  const bytes = encodeResult(toResult(job, run, outcome))
  if (outcome.code === null) {
    const names = outcome.result.files.map(({ name }) => name)
    await store.putFolder(runPrefix(job.outputPrefix, run), {
      path: outcome.folder,
      names,
      last: { name: resultName, bytes }
    })
  } else await store.putBytes(resultKey(job.outputPrefix, run), bytes)
  return createHash('sha256').update(bytes).digest('hex')
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
