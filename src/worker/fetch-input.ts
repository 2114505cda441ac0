import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectorError } from '../connectors/connector-error.ts'
import type { Compression, ConnectedSource, FileFormat, SourceRead, StoredFile } from '../queue/messages.ts'
import { StoreError } from '../store/store-error.ts'
import type { RunOutcome } from './publish-result.ts'
import { retry } from './retry.ts'
import type { RunContext } from './run-context.ts'
import { isPassing } from './store-failure.ts'

/** Files that are one table, in this order. */
export interface InputFiles {
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
}

export interface FetchedInput {
  files: InputFiles
  /** Where a tenant's own store had it; absent: it lay in ours. */
  source?: SourceRead
}

interface Fetch { jobId: string, signal: AbortSignal, deadlineMs: number }

/** A customer's store that is away for longer is the job's end: the customer sees to it, and asks again. */
const sourceRetryMs = 120_000

/** Rejects with the signal's reason when it is aborted, as `fetchConnected` does. */
export async function fetchStored (
  { store, log }: Pick<RunContext, 'store' | 'log'>, { key, format }: StoredFile, { path, jobId, signal, deadlineMs }: Fetch & { path: string }
): Promise<FetchedInput | RunOutcome> {
  try {
    await retry(() => store.getToFile(key, path), {
      signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) => log.warn({ err, jobId, attempt, pauseMs }, 'input not readable yet')
    })
    return { files: { inputPaths: [path], format, compression: null } }
  } catch (err) {
    signal.throwIfAborted()
    log.error({ err, jobId }, 'input not readable')
    const isGone = err instanceof StoreError && err.code === 'not_found'
    return { code: 'storage_error', error: isGone ? 'The stored input is gone.' : 'The object store did not give the input.' }
  }
}

/** The parts of a source, each attempt in a folder of its own. */
export async function fetchConnected (
  { connectors, log }: Pick<RunContext, 'connectors' | 'log'>, { connection }: ConnectedSource,
  { folder, jobId, signal, deadlineMs }: Fetch & { folder: string }
): Promise<FetchedInput | RunOutcome> {
  const { connectionId, objectStorage: { bucket, prefix, fileFormat, compression } } = connection
  const lateMs = Math.min(deadlineMs, performance.now() + sourceRetryMs)
  let attempts = 0
  const read = async () => {
    const target = join(folder, String(++attempts))
    await mkdir(target, { recursive: true, mode: 0o700 })
    const connector = connectors.open(connection, AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))]))
    try {
      return await connector.readData({ folder: target })
    } finally {
      connector.close()
    }
  }
  try {
    const { paths, bytes, parts } = await retry(read, {
      signal,
      deadlineMs: lateMs,
      isRetryable: (error) => error instanceof ConnectorError && error.retryable,
      onRetry: (error, attempt, pauseMs) => log.info({ jobId, connectionId, code: (error as ConnectorError).code, attempt, pauseMs }, 'source not readable yet')
    })
    return {
      files: { inputPaths: paths, format: fileFormat, compression },
      source: { uri: `s3://${bucket}/${prefix}`, bytes, parts: parts.length }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ConnectorError)) throw error
    log.info({ jobId, connectionId, code: error.code }, 'source not readable')
    return { code: 'connector_error', error: error.message, connectorCode: error.code }
  }
}
