import type { Database } from 'lmdb'

export type RawDatabase = Database<Uint8Array, Array<string | number>>
