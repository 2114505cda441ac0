import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ObjectTotal } from './tables.ts'

/**
 * How many objects each tenant has. One that was deleted counts until its bytes have been swept for the last time, so
 * that asking for addresses and deleting their objects in a loop leaves a bounded number of sweeps.
 */
export class ObjectCounts {
  readonly #objects: Table<unknown>
  readonly #totals: Table<ObjectTotal>
  readonly #maxObjects: number

  /** `maxObjects`: of one tenant. */
  constructor (metadata: MetadataStore, maxObjects: number) {
    this.#objects = metadata.table('objects')
    this.#totals = metadata.table('objectTotals')
    this.#maxObjects = maxObjects
  }

  /** Before the record is written. Throws when the tenant has as many as it may have. */
  add (tx: Transaction, tenant: string): void {
    const objects = this.#known(tx, tenant)
    if (objects >= this.#maxObjects) {
      throw new TabcastError('validation_error',
        `A tenant has at most ${this.#maxObjects} stored objects; one that was deleted counts for a day more.`, {
        status: 400,
        suggestion: 'Delete objects that are not used any more: DELETE /storage/objects/{object_id}.'
      })
    }
    tx.put(this.#totals, [tenant], { objects: objects + 1 })
  }

  /** To be called before the record of an object goes, whose count goes later. */
  begin (tx: Transaction, tenant: string): void {
    tx.put(this.#totals, [tenant], { objects: this.#known(tx, tenant) })
  }

  remove (tx: Transaction, tenant: string): void {
    tx.put(this.#totals, [tenant], { objects: Math.max(0, this.#known(tx, tenant) - 1) })
  }

  /** Objects from before they were counted are counted once. */
  #known (tx: Transaction, tenant: string): number {
    return tx.get(this.#totals, [tenant])?.value.objects ?? this.#objects.count({ prefix: [tenant] })
  }
}
