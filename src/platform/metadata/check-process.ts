import { open } from 'lmdb'
import { decodeRecord, readRevision } from './record.ts'
import { metaTable, schemaKey, type SchemaRecord } from './schema-version.ts'

/*
 * Reads every record of the folder given as argument. Prints a summary as JSON (`MetadataContents`) and ends with
 * status 0, or prints what is wrong and ends with status 1. It is a process of its own, because a truncated or flipped
 * page of a mapped file can end the process that reads it.
 */
type Keys = Array<string | number>

function checkTable (root: ReturnType<typeof open>, name: string): number {
  const database = root.openDB<Uint8Array, Keys>({ name, encoding: 'binary' })
  const { entryCount } = database.getStats() as { entryCount: number }
  let walked = 0
  for (const { key, value } of database.getRange()) {
    // A page that points back to an earlier one would make the walk endless.
    if (++walked > entryCount) break
    readRevision(name, Array.isArray(key) ? key : [key], value)
  }
  if (walked !== entryCount) {
    throw new Error(`table ${name} should have ${entryCount} records and has ${walked > entryCount ? 'more' : walked}`)
  }
  return walked
}

function schemaOf (root: ReturnType<typeof open>, names: string[]): SchemaRecord | null {
  if (!names.includes(metaTable)) return null
  const bytes = root.openDB<Uint8Array, Keys>({ name: metaTable, encoding: 'binary' }).get(schemaKey)
  return bytes === undefined ? null : decodeRecord<SchemaRecord>(metaTable, schemaKey, bytes).value
}

try {
  const root = open({ path: process.argv[2] ?? '', readOnly: true, maxDbs: 64, encoding: 'binary' })
  // Read in full first, because opening a table ends the transaction that reads the names.
  const names = [...root.getKeys()].map(String)
  const counts = Object.fromEntries(names.map((name) => [name, checkTable(root, name)]))
  process.stdout.write(JSON.stringify({ counts, schema: schemaOf(root, names) }))
  process.exitCode = 0
} catch (error) {
  process.stdout.write((error as Error).message)
  process.exitCode = 1
}
