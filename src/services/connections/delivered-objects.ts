import { setImmediate as pause } from 'node:timers/promises'
import type { DeliveredObject, ObjectStorage } from '../../domain/connection.ts'
import { TabcastError } from '../../platform/errors.ts'
import { LeastRecent } from '../../platform/least-recent.ts'
import type { Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { isDefaultDelivery, isDefaultPrefix, isFolder } from '../../sources/connectors/source-parts.ts'
import { connectorFailure } from './connector-failure.ts'

export interface DeliveredEntry {
  jobId: string
  bytes: number
}
interface DeliveredTotal {
  objects: number
}
/** The objects below a prefix at a revision of the connection's total. */
interface Listed {
  prefix: string
  revision: number | undefined
  /** An error when they cannot be told from data. */
  found: DeliveredObject[] | TabcastError
}

/** Limits, because the list travels with the connection in messages of limited size. */
const maxDelivered = 5_000
const maxDeliveredBytes = 256 * 1024
/** Limit for each connection, wherever the objects are; each counts as long as the connection exists. */
export const maxKeptDeliveries = 50_000
/**
 * Key part before the default keys of deliveries. It keeps them apart from other keys, because hardly any source has to
 * read them.
 */
const byDefault = 0
/** The most entries that one transaction of the sweep removes. */
const sweepBatch = 500
/** Connections whose lists are cached; the longest list is about a megabyte. */
const maxListed = 32

/** The objects that the service itself wrote through each connection. A forecast must never be read as history. */
export class DeliveredObjects {
  readonly #metadata: MetadataStore
  readonly #entries: Table<DeliveredEntry>
  readonly #totals: Table<DeliveredTotal>
  readonly #listed = new LeastRecent<Listed>(maxListed)

  constructor (metadata: MetadataStore) {
    this.#metadata = metadata
    this.#entries = metadata.table('deliveredObjects')
    this.#totals = metadata.table('deliveredTotals')
  }

  /** Call it in the transaction that records the delivery. */
  note (tx: Transaction, tenant: string, connectionId: string, key: string, entry: DeliveredEntry): void {
    const place = isDefaultDelivery('', key) ? [tenant, connectionId, byDefault, key] : [tenant, connectionId, key]
    const added = tx.get(this.#entries, place) === undefined ? 1 : 0
    // Written even when an object is overwritten, because the revision of the total invalidates cached lists.
    tx.put(this.#totals, [tenant, connectionId], { objects: this.#known(tx, tenant, connectionId) + added })
    tx.put(this.#entries, place, entry)
  }

  /**
   * Call it for a new delivery. Throws connector_error at the limit, because forgetting an older delivery would let it
   * be read as history.
   */
  assertRoom (tx: Transaction, tenant: string, connectionId: string): void {
    if (this.#known(tx, tenant, connectionId) < maxKeptDeliveries) return
    throw connectorFailure('INVALID_CONFIGURATION',
      `${maxKeptDeliveries} results were delivered through this connection, the most that one remembers.`,
      'Make another connection for what is delivered from now on.')
  }

  /**
   * The objects that may be part of the source. Throws connector_error when there are too many to be told from data.
   */
  among (tenant: string, connectionId: string, storage: ObjectStorage): readonly DeliveredObject[] {
    if (!isFolder(storage)) return []
    const { prefix } = storage
    const name = `${tenant} ${connectionId}`
    const revision = this.#totals.revision([tenant, connectionId])
    const known = this.#listed.find(name)
    const { found } = known !== undefined && known.prefix === prefix && known.revision === revision
      ? known
      : this.#listed.keep(name, { prefix, revision, found: this.#list(tenant, connectionId, prefix) })
    if (found instanceof TabcastError) throw found
    return found
  }

  #list (tenant: string, connectionId: string, prefix: string): DeliveredObject[] | TabcastError {
    const found: DeliveredObject[] = []
    let keyBytes = 0
    for (const place of isDefaultPrefix(prefix)
      ? [[tenant, connectionId, byDefault], [tenant, connectionId]]
      : [[tenant, connectionId]]) {
      for (const { key, value: { bytes } } of this.#entries.range({
        start: [...place, prefix],
        end: [...place, `${prefix}\u{10ffff}`]
      })) {
        const objectKey = String(key.at(-1))
        // An earlier release recorded default keys among the others. Matching the pattern is the worker's job.
        if (isDefaultDelivery(prefix, objectKey)) continue
        keyBytes += Buffer.byteLength(objectKey)
        if (found.length === maxDelivered || keyBytes > maxDeliveredBytes) {
          return connectorFailure('INVALID_CONFIGURATION',
            `More than ${found.length} results lie below the prefix of this source.`,
            'Deliver below another prefix, or under the default key.')
        }
        found.push({ key: objectKey, bytes })
      }
    }
    return found
  }

  /** Forgets deliveries through deleted connections. */
  async sweep (isLive: (tenant: string, connectionId: string) => boolean): Promise<void> {
    for (let start: Key = [];;) {
      await pause()
      const [first] = this.#entries.range({ ...(start.length === 0 ? {} : { start }), limit: 1 })
      if (first === undefined) return
      const [tenant, connectionId] = first.key.map(String) as [string, string, string]
      if (!isLive(tenant, connectionId)) { while (await this.#forget(tenant, connectionId) === sweepBatch); }
      start = [tenant, connectionId, '\u{10ffff}']
    }
  }

  async #forget (tenant: string, connectionId: string): Promise<number> {
    return await this.#metadata.transact((tx) => {
      const entries = tx.range(this.#entries, { prefix: [tenant, connectionId], limit: sweepBatch })
      for (const { key } of entries) tx.delete(this.#entries, key)
      tx.delete(this.#totals, [tenant, connectionId])
      return entries.length
    })
  }

  /** Entries of earlier releases were not counted, so the first use counts them. */
  #known (tx: Transaction, tenant: string, connectionId: string): number {
    return tx.get(this.#totals, [tenant, connectionId])?.value.objects ??
      this.#entries.count({ prefix: [tenant, connectionId] })
  }
}
