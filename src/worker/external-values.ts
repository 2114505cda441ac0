import { join } from 'node:path'
import { covariatesKey } from '../platform/store/keys.ts'
import { StoreError } from '../platform/store/store-error.ts'
import { retry } from '../platform/time/retry.ts'
import type { RunOutcome } from './publish-result.ts'
import type { RunContext } from './run-context.ts'
import { isGone, isPassing } from './store-failure.ts'

/** Covariates from outside, in a file that the engine adds to the dataset. */
export interface ExternalValues {
  path: string
  /** The time spent getting the file. */
  seconds: number
}

export interface ExternalValuesOptions {
  /** The key prefix of the job's objects. */
  prefix: string
  folder: string
  /** Writes the file if the store does not have the values yet; otherwise returns the outcome that ends the run. */
  gather: (path: string) => Promise<RunOutcome | undefined>
  signal: AbortSignal
  deadlineMs: number
}

/**
 * The first run of a job asks the providers and stores their answers beside the job's input, so that every later run
 * computes from the same values. Rejects with the signal's reason.
 */
export async function fetchExternalValues ({ store, log }: Pick<RunContext, 'store' | 'log'>,
  options: ExternalValuesOptions): Promise<ExternalValues | RunOutcome> {
  const startedMs = performance.now()
  const { prefix, folder, gather, signal, deadlineMs } = options
  const key = covariatesKey(prefix)
  const [kept, own] = [join(folder, 'covariates'), join(folder, 'covariates-own')]
  let path = kept
  const patiently = async <T>(work: () => Promise<T>): Promise<T> =>
    await retry(work, {
      signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) =>
        log.warn({ err, attempt, pauseMs }, 'covariates of the job not in the store yet')
    })
  try {
    if (!await isThere(() => patiently(() => store.getToFile(key, kept)))) {
      const ended = await gather(own)
      if (ended !== undefined) return ended
      // If another run stored its values first, those are the values of the job.
      if (await isFirst(() => patiently(() => store.putFile(key, own, { ifAbsent: true, share: true })))) path = own
      else await patiently(() => store.getToFile(key, kept))
    }
    return { path, seconds: (performance.now() - startedMs) / 1000 }
  } catch (error) {
    signal.throwIfAborted()
    log.error({ err: error }, 'covariates of the job not kept')
    if (!(error instanceof StoreError)) {
      return { code: 'pipeline_failed', error: 'The covariates of the job could not be kept.' }
    }
    return { code: 'storage_error', error: 'The object store did not take or give the covariates of the job.' }
  }
}

async function isThere (read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

async function isFirst (put: () => Promise<void>): Promise<boolean> {
  try {
    await put()
    return true
  } catch (error) {
    if (error instanceof StoreError && error.code === 'exists') return false
    throw error
  }
}
