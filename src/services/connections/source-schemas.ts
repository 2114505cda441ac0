import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ConnectionRecord, SourceSchema } from './connection-record.ts'

/**
 * The columns that the last validation of each connection found. They take up to a hundred times what its record takes,
 * and only the next validation reads them. Records of before had them themselves, until they are validated again.
 */
export class SourceSchemas {
  readonly #schemas: Table<SourceSchema>

  constructor (metadata: MetadataStore) {
    this.#schemas = metadata.table('sourceSchemas')
  }

  /** null: the source was not validated yet. */
  of ({ tenant, connectionId, lastSchema }: ConnectionRecord): SourceSchema | null {
    return this.#schemas.get([tenant, connectionId])?.value ?? lastSchema ?? null
  }

  /** Gives the record without the columns that it may have had itself. */
  put (tx: Transaction, record: ConnectionRecord, schema: SourceSchema): ConnectionRecord {
    tx.put(this.#schemas, [record.tenant, record.connectionId], schema)
    return withoutSchema(record)
  }

  /** Gives the record as `put` does. */
  forget (tx: Transaction, record: ConnectionRecord): ConnectionRecord {
    tx.delete(this.#schemas, [record.tenant, record.connectionId])
    return withoutSchema(record)
  }
}

function withoutSchema ({ lastSchema, ...record }: ConnectionRecord): ConnectionRecord {
  return record
}
