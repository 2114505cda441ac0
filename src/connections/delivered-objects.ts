import { isDefaultDelivery, isFolder } from '../connectors/source-parts.ts'
import type { MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'
import type { DeliveredObject, ObjectStorage } from '../queue/messages.ts'
import { connectorFailure } from './connector-failure.ts'

export interface DeliveredEntry { jobId: string, bytes: number }

/** They go with the connection into messages, which have a bound. */
const maxDelivered = 5_000

/** What the service itself wrote through each connection: a forecast must never be read as history. */
export class DeliveredObjects {
  readonly #entries: Table<DeliveredEntry>

  constructor (metadata: MetadataStore) {
    this.#entries = metadata.table('deliveredObjects')
  }

  /** In the transaction that notes the delivery. */
  note (tx: Transaction, tenant: string, connectionId: string, key: string, entry: DeliveredEntry): void {
    tx.put(this.#entries, [tenant, connectionId, key], entry)
  }

  /** Those that may be parts of the source. Throws connector_error when they are too many to be told from data. */
  among (tenant: string, connectionId: string, storage: ObjectStorage): DeliveredObject[] {
    if (!isFolder(storage)) return []
    const { prefix } = storage
    const bounds = prefix === '' ? { prefix: [tenant, connectionId] } : { start: [tenant, connectionId, prefix], end: [tenant, connectionId, `${prefix}\u{10ffff}`] }
    const found: DeliveredObject[] = []
    for (const { key: [, , key], value: { bytes } } of this.#entries.range(bounds)) {
      // The pattern is a worker's work.
      if (isDefaultDelivery(prefix, String(key))) continue
      if (found.length === maxDelivered) {
        throw connectorFailure('INVALID_CONFIGURATION', `More than ${maxDelivered} results lie below the prefix of this source.`, 'Deliver below another prefix, or under the default key.')
      }
      found.push({ key: String(key), bytes })
    }
    return found
  }
}
