import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'

/** How many values of a column its filters leave; an estimate if the filters do not tell exactly. */
export function valuesLeft ({ name, distinct }: Pick<ProfiledColumn, 'name' | 'distinct'>,
  { filters }: Pick<ForecastIntent, 'filters'>): number {
  let left = distinct
  for (const { column, op, value } of filters) {
    if (column !== name) continue
    const named = new Set(value.split(',').map((part) => part.trim())).size
    if (op === 'eq') left = Math.min(left, 1)
    else if (op === 'in') left = Math.min(left, named)
    else if (op === 'ne') left -= 1
    else if (op === 'not_in') left -= named
  }
  return Math.max(1, left)
}

/** The share of the series that is left by filters on columns with one value per series. */
export function shareLeft (intent: Pick<ForecastIntent, 'filters'>, { columns }: DataProfile): number {
  return columns.filter(({ isStatic, distinct }) => isStatic && distinct > 0).reduce(
    (share, column) => share * valuesLeft(column, intent) / column.distinct,
    1
  )
}

/**
 * The columns of the hierarchy that still nest after the filters, so that sums over them have several parts; empty:
 * none do. `count`: the number of series left.
 */
export function nestedLevels (intent: ForecastIntent, data: DataProfile, count: number): string[] {
  const { series, columns } = data
  const levels = (series?.hierarchyColumns ?? []).map((name) => ({
    name,
    left: valuesLeft(columns.find((column) => column.name === name) ?? { name, distinct: count }, intent)
  })).filter(({ left }) => left > 1)
  if (levels.length < 2 || count < 2 || intent.grouping_dimensions.length > 0 || intent.entity_columns.length === 0) {
    return []
  }
  // A level is above the series only if these are distinct without it. If columns merely cross, each series needs both.
  const above = levels.slice(0, -1).filter((level) =>
    level.left < count &&
    levels.filter((other) => other !== level).reduce((product, { left }) => product * left, 1) >= count
  )
  if (above.length === 0) return []
  const last = levels.findIndex((level) => level === above.at(-1))
  return levels.slice(0, last + 2).filter((level, index) => above.includes(level) || index === last + 1).map((
    { name }
  ) => name)
}
