import { MetadataError } from './metadata-error.ts'
import type { MetadataStore, Migration, Table, Transaction } from './metadata-store.ts'

/** The table that says what the folder is. */
export const metaTable = 'meta'

interface SchemaRecord {
  v: 1
  /** Schema version of the folder's records. */
  schema: number
  /** Oldest program schema version that can read them. */
  readableBy: number
}
const key = ['schema']

/** Brings the folder to the program's schema version, one committed step at a time; throws `newer` when it cannot be read. */
export async function migrate (store: MetadataStore, migrations: readonly Migration[]): Promise<void> {
  checkSteps(migrations)
  const program = 1 + migrations.length
  const meta = store.table<SchemaRecord>(metaTable)
  const found = meta.get(key)?.value
  if (!found) {
    const readableBy = Math.max(1, ...migrations.map((step) => step.readableBy ?? step.version))
    await store.transact((tx) => tx.put(meta, key, { v: 1, schema: program, readableBy }))
    return
  }
  if (found.v !== 1 || found.readableBy > program) {
    throw new MetadataError('newer', `the metadata has schema version ${found.schema} and this program knows ${program}; start the newer release, or restore the backup that was made before it`)
  }
  for (const step of migrations) {
    if (step.version > found.schema) await store.transact((tx) => runStep(store, tx, meta, step))
  }
}

function runStep (store: MetadataStore, tx: Transaction, meta: Table<SchemaRecord>, step: Migration): void {
  step.run(tx, (name) => store.table(name))
  const before = tx.get(meta, key)?.value.readableBy ?? 1
  tx.put(meta, key, { v: 1, schema: step.version, readableBy: Math.max(before, step.readableBy ?? step.version) })
}

function checkSteps (migrations: readonly Migration[]): void {
  for (const [index, { version }] of migrations.entries()) {
    if (version !== index + 2) throw new MetadataError('invalid', `migration ${version} is out of order; expected ${index + 2}`)
  }
}
