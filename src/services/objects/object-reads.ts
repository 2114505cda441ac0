import type { Readable } from 'node:stream'
import { objectOwnerOf } from '../../platform/store/keys.ts'
import type { ByteRange, ObjectStore } from '../../platform/store/object-store.ts'
import { OwnedReads } from '../../platform/store/owned-reads.ts'
import type { ObjectLedger } from './object-ledger.ts'

/** Reads of stored files by their signed address. They break off when their object is deleted. */
export class ObjectReads {
  readonly #reads: OwnedReads
  readonly #ledger: ObjectLedger

  constructor (deps: { ledger: ObjectLedger, store: ObjectStore }) {
    this.#reads = new OwnedReads(deps.store)
    this.#ledger = deps.ledger
  }

  isReadable (key: string): boolean {
    const owner = objectOwnerOf(key)
    return owner !== undefined && this.#ledger.get(owner.tenant, owner.objectId)?.status === 'uploaded'
  }

  async open (key: string, range?: ByteRange): Promise<Readable | undefined> {
    return await this.#reads.open(objectOwnerOf(key)?.objectId ?? '', () => this.isReadable(key), key, range)
  }

  /** Call it when the object is deleted. */
  cut (objectId: string): void {
    this.#reads.cut(objectId)
  }
}
