import { MetadataError } from './metadata-error.ts'
import type { MetadataStore, Migration, Table, Transaction } from './metadata-store.ts'

/** The table that describes the folder itself. */
export const metaTable = 'meta'

export interface SchemaRecord {
  v: 1
  /** Schema version of the folder's records. */
  schema: number
  /** The oldest program schema version that can read them. */
  readableBy: number
}
export const schemaKey = ['schema']

/** The schema version of a program with these steps. */
export function programSchema (migrations: readonly Migration[]): number {
  return 1 + migrations.length
}

/**
 * Brings the folder to the program's schema version, one committed step at a time. Throws `newer` if the folder cannot
 * be read.
 */
export async function migrate (store: MetadataStore, path: string, migrations: readonly Migration[]): Promise<void> {
  checkSteps(migrations)
  const program = programSchema(migrations)
  const meta = store.table<SchemaRecord>(metaTable)
  const found = meta.get(schemaKey)?.value
  if (!found) {
    const readableBy = Math.max(1, ...migrations.map((step) => step.readableBy ?? step.version))
    await store.transact((tx) => tx.put(meta, schemaKey, { v: 1, schema: program, readableBy }))
    return
  }
  if (found.v !== 1 || found.readableBy > program) {
    throw new MetadataError('newer',
      `${path}: the metadata has schema version ${found.schema} and this program knows ${program}; start the newer ` +
        'release, or restore a backup that was made before it: tabcast restore FOLDER --force')
  }
  for (const step of migrations) {
    if (step.version > found.schema) await store.transact((tx) => runStep(store, tx, meta, step))
  }
}

function runStep (store: MetadataStore, tx: Transaction, meta: Table<SchemaRecord>, step: Migration): void {
  step.run(tx, (name) => store.table(name))
  const before = tx.get(meta, schemaKey)?.value.readableBy ?? 1
  tx.put(meta, schemaKey, { v: 1, schema: step.version, readableBy: Math.max(before, step.readableBy ?? step.version) })
}

function checkSteps (migrations: readonly Migration[]): void {
  for (const [index, { version }] of migrations.entries()) {
    if (version !== index + 2) {
      throw new MetadataError('invalid', `migration ${version} is out of order; expected ${index + 2}`)
    }
  }
}
