import { LocalStore, type LocalStoreOptions } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3StoreOptions } from './s3-store.ts'

export type StoreConfig =
  | { driver: 'local' } & LocalStoreOptions
  | { driver: 's3' } & S3StoreOptions

/** Opens the configured store. An S3 store is not contacted yet, because it may come up later. */
export async function openStore (config: StoreConfig): Promise<ObjectStore> {
  switch (config.driver) {
    case 'local':
      return await LocalStore.open(config)
    case 's3': {
      // Loaded only if it is used, because its client library is large.
      const { S3Store } = await import('./s3-store.ts')
      return new S3Store(config)
    }
  }
}
