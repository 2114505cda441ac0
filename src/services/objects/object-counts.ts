import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ObjectTotal } from './tables.ts'

/**
 * Counts the objects of each tenant. A deleted object counts until its bytes are swept for the last time. So creating
 * and deleting objects in a loop leaves only a limited number of sweeps.
 */
export class ObjectCounts {
  readonly #objects: Table<unknown>
  readonly #totals: Table<ObjectTotal>
  readonly #maxObjects: number

  /** `maxObjects`: limit for each tenant. */
  constructor (metadata: MetadataStore, maxObjects: number) {
    this.#objects = metadata.table('objects')
    this.#totals = metadata.table('objectTotals')
    this.#maxObjects = maxObjects
  }

  /** Call it before the record is written. Throws when the tenant is at its limit. */
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

  /** Call it before the record of an object is deleted; the object still counts until its last sweep. */
  begin (tx: Transaction, tenant: string): void {
    tx.put(this.#totals, [tenant], { objects: this.#known(tx, tenant) })
  }

  remove (tx: Transaction, tenant: string): void {
    tx.put(this.#totals, [tenant], { objects: Math.max(0, this.#known(tx, tenant) - 1) })
  }

  /** Objects of earlier releases were not counted, so the first use counts them. */
  #known (tx: Transaction, tenant: string): number {
    return tx.get(this.#totals, [tenant])?.value.objects ?? this.#objects.count({ prefix: [tenant] })
  }
}
