import { createHash } from 'node:crypto'
import type { SourceCheck, SourceColumn } from '../../domain/connector-results.ts'

export interface SchemaDrift {
  drifted: boolean
  added: string[]
  removed: string[]
  typeChanged: string[]
}

/** The most characters of a column's name that a record keeps. */
const maxNameChars = 200

/**
 * Columns as the record keeps them: a long name becomes its beginning and its hash, so that long names do not fill the
 * record.
 */
export function rememberedColumns (columns: readonly SourceColumn[]): SourceColumn[] {
  return columns.map((column) =>
    column.name.length <= maxNameChars ? column : { ...column, name: shortened(column.name) }
  )
}

function shortened (name: string): string {
  return `${Buffer.from(name).toString('utf8', 0, maxNameChars - 40)}…${
    createHash('sha256').update(name).digest('hex').slice(0, 32)
  }`
}

/** What has changed since the last validation; nothing at the first one. */
export function schemaDrift (before: readonly SourceColumn[] | null, now: readonly SourceColumn[]): SchemaDrift {
  if (before === null) return { drifted: false, added: [], removed: [], typeChanged: [] }
  const [old, fresh] = [before, now].map((columns) =>
    new Map(rememberedColumns(columns).map(({ name, type }) => [name, type]))
  ) as [Map<string, string>, Map<string, string>]
  const added = [...fresh.keys()].filter((name) => !old.has(name))
  const removed = [...old.keys()].filter((name) => !fresh.has(name))
  const typeChanged = [...fresh].filter(([name, type]) => old.has(name) && old.get(name) !== type).map(([name]) => name)
  return { drifted: added.length + removed.length + typeChanged.length > 0, added, removed, typeChanged }
}

export function driftCheck ({ drifted, added, removed, typeChanged }: SchemaDrift, isFirst: boolean): SourceCheck {
  const count = added.length + removed.length + typeChanged.length
  return {
    check: 'schema_drift',
    status: drifted ? 'warning' : 'passed',
    count,
    sampleRows: [],
    message: messageOf(drifted, count, isFirst)
  }
}

function messageOf (drifted: boolean, count: number, isFirst: boolean): string {
  if (isFirst) return 'The source was not validated before.'
  return drifted ? `${count} columns differ from the last validation.` : 'The columns are those of the last validation.'
}
