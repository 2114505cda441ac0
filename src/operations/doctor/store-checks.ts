import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths, type Config } from '../../platform/config.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { openStore } from '../../platform/store/open-store.ts'
import { probes, refusesSecondWrite } from '../../platform/store/refuses-second-write.ts'
import { isRemoteStore, storeConfig } from '../../platform/store/store-config.ts'
import { check, fail, ok, skewCheck, warn, type Check } from './check.ts'

const bucketRemedy = 'check TABCAST_S3_ENDPOINT, the bucket and its credentials; NODE_EXTRA_CA_CERTS names the ' +
  'certificate of an authority of your own'

/** Checks the object store as this process reaches it. */
export async function storeChecks (config: Config): Promise<Check[]> {
  const isRemote = isRemoteStore(config)
  const remedy = isRemote
    ? bucketRemedy
    : `see to it that everything in ${config.DATA_DIR} belongs to the user that runs the service (chown -R) and that ` +
      'its disk can be written'
  const conditional = await check('store', remedy,
    async () => await conditionalPutCheck(await openStore(storeConfig(config))))
  // A store that does not answer does not tell its time either.
  if (isRemote) return conditional.status === 'fail' ? [conditional] : [conditional, await storeClockCheck(config)]
  await removeProbes(join(dataPaths(config).objects, probes))
  return [conditional]
}

/**
 * The second of two writes that must not replace an object has to be refused, because deliveries, uploads
 * and shards rely on it.
 */
export async function conditionalPutCheck (store: ObjectStore): Promise<Check> {
  return await refusesSecondWrite(store)
    ? ok('store', 'takes an object, and refuses to replace it when it is asked not to')
    : fail('store',
      'an object was replaced although If-None-Match: * forbids it; no forecast is computed in shards (TABCAST_SHARDS)',
      'use a store that honours If-None-Match (AWS S3, MinIO, versitygw)')
}

/**
 * A local store keeps the empty folder of a prefix. Another doctor may be using it, so a folder that is not empty
 * stays.
 */
async function removeProbes (folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Wrong owners and permissions are reported by the check itself.
    if (!['ENOENT', 'ENOTEMPTY', 'EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error
  })
}

async function storeClockCheck (config: Config): Promise<Check> {
  return await check('clock_store', bucketRemedy, async () => {
    const sentMs = Date.now()
    const { headers } = await fetch(config.S3_ENDPOINT, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(config.S3_TIMEOUT_MS)
    })
    const date = headers.get('date')
    // The header has whole seconds, so half a second is added.
    return date === null
      ? warn('clock_store', 'the store says no Date', 'compare its clock by hand')
      : skewCheck('clock_store', 'the store', Date.parse(date) + 500, (sentMs + Date.now()) / 2)
  })
}
