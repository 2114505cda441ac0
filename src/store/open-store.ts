import type { ObjectStore } from './object-store.ts'

export type StoreConfig = { driver: 'local', root: string, signingSecret?: Uint8Array }

/** Opens the store that the configuration names. */
export declare function openStore (config: StoreConfig): Promise<ObjectStore>
