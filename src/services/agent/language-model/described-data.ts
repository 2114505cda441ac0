import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'

const maxColumns = 100
const maxNameLength = 100
const maxShapes = 3
const maxShapeLength = 24

/**
 * What a language model learns about the data: names, figures and the shapes of a few values, but no value and no row.
 */
export interface DescribedData {
  columns: DescribedColumn[]
  rows: number | null
  series: number | null
  step: string | null
  first_time: string | null
  last_time: string | null
  time_column: string | null
  series_column: string | null
  hierarchy: string[]
}

interface DescribedColumn {
  name: string
  kind: string
  distinct: number
  empty: number
  known_ahead: boolean
  /** The shapes of the values of a text column. */
  shapes?: string[]
}

/** The columns that a model learns about. It cannot name others. */
export function describedColumns (data: DataProfile): ProfiledColumn[] {
  return data.columns.filter(({ name }) => name !== '' && name.length <= maxNameLength).slice(0, maxColumns)
}

export function describeData (data: DataProfile): DescribedData {
  const { roles, series } = data
  const columns = describedColumns(data)
  const shown = (name: string | null) => columns.some((column) => column.name === name) ? name : null
  return {
    columns: columns.map(describeColumn),
    rows: series?.totalRows ?? null,
    series: series?.numItems ?? null,
    step: series?.freq ?? null,
    first_time: series?.start ?? null,
    last_time: series?.end ?? null,
    time_column: shown(roles.timestamp),
    series_column: shown(roles.itemId),
    hierarchy: series?.hierarchyColumns.filter((name) => shown(name) !== null) ?? []
  }
}

function describeColumn ({ name, kind, distinct, nulls, isKnownAhead, values }: ProfiledColumn): DescribedColumn {
  const shapes = kind === 'text' ? [...new Set(values.map(valueShape))].slice(0, maxShapes) : []
  return { name, kind, distinct, empty: nulls, known_ahead: isKnownAhead, ...(shapes.length === 0 ? {} : { shapes }) }
}

/** The shape of a value without its content: `SKU-42b` is `AAA-99a`. */
function valueShape (value: string): string {
  return [...value].slice(0, maxShapeLength).map((character) => {
    if (/\p{Lu}/u.test(character)) return 'A'
    if (/[\p{L}\p{M}]/u.test(character)) return 'a'
    if (/\p{N}/u.test(character)) return '9'
    return /[ -~]/.test(character) ? character : '?'
  }).join('')
}
