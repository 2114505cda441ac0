import { LocalStore, type LocalStoreOptions } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'

export type StoreConfig = { driver: 'local' } & LocalStoreOptions

/** Opens the store that the configuration names. */
export async function openStore (config: StoreConfig): Promise<ObjectStore> {
  switch (config.driver) {
    case 'local': return await LocalStore.open(config)
  }
}
