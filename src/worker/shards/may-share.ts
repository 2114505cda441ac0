import { refusesSecondWrite } from '../../platform/store/refuses-second-write.ts'
import { isRemoteStore } from '../../platform/store/store-config.ts'
import { retry } from '../../platform/time/retry.ts'
import { isPassing } from '../store-failure.ts'
import type { RunContext } from '../run-context.ts'

/**
 * Whether this worker may compute shards of others: in a store that writes a key twice, parts of two makers could mix.
 * Waits while the store is away. Rejects with the signal's reason.
 */
export async function mayShare ({ config, store, log }: RunContext, signal: AbortSignal): Promise<boolean> {
  if (!isRemoteStore(config)) return true
  const isExclusive = await retry(() => refusesSecondWrite(store.within(signal)), {
    signal,
    isRetryable: isPassing,
    onRetry: (err, attempt) => {
      if (attempt === 1) log.warn({ err }, 'no shards yet, because the object store cannot be tried')
    }
  })
  if (!isExclusive) {
    log.error({}, 'TABCAST_SHARDS: the object store ignores If-None-Match, so this worker computes no shards of others')
  }
  return isExclusive
}
