import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ConnectionRecord, SourceSchema } from './connection-record.ts'

/**
 * The columns that the last validation of each connection found. They may be a hundred times as large as the
 * connection's record, and only the next validation reads them. Records of earlier releases hold them until the next
 * validation.
 */
export class SourceSchemas {
  readonly #schemas: Table<SourceSchema>

  constructor (metadata: MetadataStore) {
    this.#schemas = metadata.table('sourceSchemas')
  }

  /** null: never validated. */
  of ({ tenant, connectionId, lastSchema }: ConnectionRecord): SourceSchema | null {
    return this.#schemas.get([tenant, connectionId])?.value ?? lastSchema ?? null
  }

  /** Returns the record without any columns of its own. */
  put (tx: Transaction, record: ConnectionRecord, schema: SourceSchema): ConnectionRecord {
    tx.put(this.#schemas, [record.tenant, record.connectionId], schema)
    return withoutSchema(record)
  }

  /** Returns the record like `put`. */
  forget (tx: Transaction, record: ConnectionRecord): ConnectionRecord {
    tx.delete(this.#schemas, [record.tenant, record.connectionId])
    return withoutSchema(record)
  }
}

function withoutSchema ({ lastSchema, ...record }: ConnectionRecord): ConnectionRecord {
  return record
}
