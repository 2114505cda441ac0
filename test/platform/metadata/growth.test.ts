import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import t from 'tap'
import { recordTables } from '../../../src/commands/record-tables.ts'
import { settings } from '../../../src/platform/config.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'

/*
 * Nothing that callers can make may grow without end: what bounds each kind of record is written down, and none is
 * left out.
 */

const text = readFileSync('src/platform/metadata/README.md', 'utf8')
const section = text.slice(text.indexOf('\n## What grows'), text.indexOf('\n## LMDB'))
const rows = section.split('\n').filter((line) => line.startsWith('| `')).map((line) =>
  line.split('|').slice(1, -1).map((cell) => cell.trim())
)

t.test('every table of the record says what makes its records, what bounds them, and when they go', async (t) => {
  const path = join(t.testdir({}), 'metadata')
  await (await openMetadata({ path, tables: recordTables })).close()
  // What is really on disk, so that a table that somebody opens beside the list is found as well.
  const root = open({ path, readOnly: true, maxDbs: 64, encoding: 'binary' })
  t.teardown(() => root.close())
  const onDisk = [...root.getKeys()].map(String).sort()
  t.ok(onDisk.length > 30)
  t.strictSame(rows.map(([name = '']) => name.replaceAll('`', '')).sort(), onDisk)
  for (const row of rows) {
    t.equal(row.length, 4, row.join(' | '))
    t.ok(row.every((cell) => cell.length >= 3), row.join(' | '))
  }
})

t.test('the settings that the bounds name exist', async (t) => {
  const known = new Set(settings.map(([name]) => name))
  const named = rows.flatMap((row) => [...row.join(' ').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name))
  t.ok(named.length >= 8)
  for (const name of new Set(named)) t.ok(known.has(name), name)
})
