import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectedSource } from '../domain/connection.ts'
import type { Compression, FileFormat, ModelFile, StoredFile } from '../domain/files.ts'
import type { JobWarning, SourceRead } from '../domain/job-result.ts'
import { unusableModel } from '../domain/unusable-model.ts'
import type { ObjectStore } from '../platform/store/object-store.ts'
import { retry } from '../platform/time/retry.ts'
import { ConnectorError } from '../sources/connectors/connector-error.ts'
import type { FetchedModel } from './check-model.ts'
import type { RunOutcome } from './publish-result.ts'
import type { RunContext } from './run-context.ts'
import { NoSourceSpace } from './source-space.ts'
import { isGone, isPassing } from './store-failure.ts'

/** Files that form one table, in this order. */
export interface InputFiles {
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
}

export interface FetchedInput {
  files: InputFiles
  /** Set if a tenant's own store had the input; absent if our store had it. */
  source?: SourceRead
  warnings?: JobWarning[]
}

interface Fetch {
  jobId: string
  signal: AbortSignal
  deadlineMs: number
}
interface FetchTo extends Fetch {
  path: string
}
interface FetchSource extends Fetch {
  folder: string
  reserve: (bytes: number) => Promise<void>
  /** Called after each attempt with the processor time in milliseconds that answers of the store have cost. */
  spend: (cpuMs: number) => void
}

/** A job fails if the customer's store is away for longer: the customer has to repair it and ask again. */
const sourceRetryMs = 120_000

/** Rejects with the signal's reason when the signal aborts; so do `fetchModel` and `fetchConnected`. */
export async function fetchStored (context: Pick<RunContext, 'store' | 'log'>, { key, format }: StoredFile,
  fetch: FetchTo): Promise<FetchedInput | RunOutcome> {
  const fetched = await fetchObject(context, key, 'input', fetch)
  if (fetched === 'gone') return { code: 'storage_error', error: 'The stored input is gone.' }
  if (fetched === 'withheld') return { code: 'storage_error', error: 'The object store did not give the input.' }
  return { files: { inputPaths: [fetched.path], format, compression: null } }
}

/** Fetches the fine-tuned model. The slot checks whether the file is the one that the training wrote. */
export async function fetchModel (context: Pick<RunContext, 'store' | 'log'>, model: ModelFile,
  fetch: FetchTo): Promise<FetchedModel | RunOutcome> {
  const fetched = await fetchObject(context, model.key, 'model', fetch)
  if (typeof fetched === 'object') return { ...model, ...fetched }
  if (fetched === 'withheld') return { code: 'storage_error', error: 'The object store did not give the model.' }
  const { message, suggestion } = unusableModel(model, 'gone')
  return { code: 'pipeline_failed', error: `${message} ${suggestion}` }
}

/** The path of the object for a slot, which only reads it: in the store if that is a folder, else a copy at `path`. */
export async function readable (store: Pick<ObjectStore, 'pathOf' | 'getToFile'>, key: string,
  path: string): Promise<string> {
  const own = await store.pathOf(key)
  if (own === undefined) await store.getToFile(key, path)
  return own ?? path
}

async function fetchObject (
  { store, log }: Pick<RunContext, 'store' | 'log'>,
  key: string,
  what: 'input' | 'model',
  { path, jobId, signal, deadlineMs }: FetchTo
): Promise<{ path: string } | 'gone' | 'withheld'> {
  try {
    const found = await retry(() => readable(store, key, path), {
      signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) => log.warn({ err, attempt, pauseMs }, `${what} not readable yet`)
    })
    return { path: found }
  } catch (err) {
    signal.throwIfAborted()
    log.error({ err }, `${what} not readable`)
    return isGone(err) ? 'gone' : 'withheld'
  }
}

/** Fetches the parts of a source, with a folder for each attempt. */
export async function fetchConnected (
  { connectors, log }: Pick<RunContext, 'connectors' | 'log'>,
  { connection }: ConnectedSource,
  { folder, jobId, signal, deadlineMs, reserve, spend }: FetchSource
): Promise<FetchedInput | RunOutcome> {
  const { connectionId, objectStorage: { bucket, prefix, fileFormat, compression } } = connection
  const lateMs = Math.min(deadlineMs, performance.now() + sourceRetryMs)
  let attempts = 0
  const read = async () => {
    const target = join(folder, String(++attempts))
    await mkdir(target, { recursive: true, mode: 0o700 })
    let cpuMs = 0
    const connector = connectors.open(connection,
      AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))]), (ms) => {
      cpuMs += ms
    })
    try {
      return await connector.readData({ folder: target, reserve })
    } catch (error) {
      await rm(target, { recursive: true, force: true })
      throw error
    } finally {
      connector.close()
      if (cpuMs > 0) spend(cpuMs)
    }
  }
  try {
    const { paths, bytes, parts, unpinned } = await retry(read, {
      signal,
      deadlineMs: lateMs,
      isRetryable: (error) => error instanceof ConnectorError && error.retryable,
      onRetry: (error, attempt, pauseMs) =>
        log.info({ connectionId, code: (error as ConnectorError).code, attempt, pauseMs }, 'source not readable yet')
    })
    return {
      files: { inputPaths: paths, format: fileFormat, compression },
      source: { uri: `s3://${bucket}/${prefix}`, bytes, parts: parts.length },
      warnings: unpinned === 0 ? [] : [unpinnedWarning(unpinned)]
    }
  } catch (error) {
    signal.throwIfAborted()
    // If others hold the space, the error is thrown on and the job waits for them.
    if (error instanceof NoSourceSpace && !error.isTaken) return { code: 'storage_error', error: error.message }
    if (!(error instanceof ConnectorError)) throw error
    log.info({ connectionId, code: error.code }, 'source not readable')
    return { code: 'connector_error', error: error.message, connectorCode: error.code }
  }
}

function unpinnedWarning (count: number): JobWarning {
  const message =
    `The store says neither ETag nor Last-Modified of ${count} ${count === 1 ? 'object' : 'objects'} of the source: ` +
    'if one was replaced while the source was read, nobody noticed.'
  return { code: 'source_unpinned', message, count }
}
