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
/** What lies below a prefix, as it was when the connection's total had this revision. */
interface Listed {
  prefix: string
  revision: number | undefined
  /** Or why they cannot be told from data. */
  found: DeliveredObject[] | TabcastError
}

/** They go with the connection into messages, which have a bound. */
const maxDelivered = 5_000
const maxDeliveredBytes = 256 * 1024
/** Of one connection, wherever they lie: each stays for as long as the connection does. */
export const maxKeptDeliveries = 50_000
/**
 * Before the keys that a delivery has by default: they are apart from the others, since hardly any source has to look
 * at them.
 */
const byDefault = 0
/** Entries that one transaction of the sweep removes at most. */
const sweepBatch = 500
/** Connections whose lists are kept: one of the longest is about a megabyte. */
const maxListed = 32

/** What the service itself wrote through each connection: a forecast must never be read as history. */
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

  /** In the transaction that notes the delivery. */
  note (tx: Transaction, tenant: string, connectionId: string, key: string, entry: DeliveredEntry): void {
    const place = isDefaultDelivery('', key) ? [tenant, connectionId, byDefault, key] : [tenant, connectionId, key]
    const added = tx.get(this.#entries, place) === undefined ? 1 : 0
    // Also for one that is written over: the total's revision says that a list is out of date.
    tx.put(this.#totals, [tenant, connectionId], { objects: this.#known(tx, tenant, connectionId) + added })
    tx.put(this.#entries, place, entry)
  }

  /**
   * Of a delivery that is asked for. Throws connector_error: to forget an older one would let it be read as history.
   */
  assertRoom (tx: Transaction, tenant: string, connectionId: string): void {
    if (this.#known(tx, tenant, connectionId) < maxKeptDeliveries) return
    throw connectorFailure('INVALID_CONFIGURATION',
      `${maxKeptDeliveries} results were delivered through this connection, the most that one remembers.`,
      'Make another connection for what is delivered from now on.')
  }

  /** Those that may be parts of the source. Throws connector_error when they are too many to be told from data. */
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
        // Noted before these had a place of their own. The pattern is a worker's work.
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

  /** Forgets what was delivered through connections that are gone. */
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

  /** Entries from before they were counted are counted once. */
  #known (tx: Transaction, tenant: string, connectionId: string): number {
    return tx.get(this.#totals, [tenant, connectionId])?.value.objects ??
      this.#entries.count({ prefix: [tenant, connectionId] })
  }
}
