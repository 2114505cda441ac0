import type { DataProfile, ProfiledColumn } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { coherenceWish } from './coherence.ts'
import type { SeriesNames } from './recommendation.ts'

/** The requested groups; else the series of the intent, named by all levels of the hierarchy if they are to add up. */
export function seriesNames (intent: ForecastIntent, { series }: DataProfile): SeriesNames {
  const { grouping_dimensions: groups, entity_columns: entities } = intent
  const levels = series?.hierarchyColumns ?? []
  // Levels are ordered from the top of the tree, whatever order the prompt has.
  if (groups.length > 0) {
    return { columns: groups.toSorted((one, other) => levels.indexOf(one) - levels.indexOf(other)) }
  }
  if (levels.length > 1 && coherenceWish(intent) !== undefined) return { columns: levels }
  const [only] = entities
  return entities.length === 1 ? { itemId: only as string } : { columns: entities }
}

/** Whether several series of the file become one, because these names distinguish fewer series than the file does. */
export function joinsSeries (names: SeriesNames, { roles, series }: DataProfile): boolean {
  if ('itemId' in names || series === null || series.numItems < 2) return false
  const own = roles.itemId === null ? series.hierarchyColumns : [roles.itemId]
  return own.length === 0 || !own.every((name) => names.columns.includes(name))
}

/**
 * The number of rows of the shortest series to forecast, as far as the profile tells. A group has the rows of all its
 * members, so one short member does not make it short. Only the rows tell whether a whole group is short; a worker
 * checks them before a job is created.
 */
export function shortestLength (names: SeriesNames, data: DataProfile): number {
  const { minLength = 0, maxLength = 0 } = data.series ?? {}
  return joinsSeries(names, data) ? maxLength : minLength
}

/** The maximum number of series after the filters. The data may have fewer groups than their columns allow. */
export function countSeries (names: SeriesNames, intent: ForecastIntent, data: DataProfile): number {
  const { columns, series } = data
  const own = Math.max(1, Math.round((series?.numItems ?? 1) * shareLeft(intent, data)))
  if ('itemId' in names) return own
  const groups = names.columns.reduce(
    (product, name) =>
      product * valuesLeft(columns.find((column) => column.name === name) ?? { name, distinct: 1 }, intent),
    1
  )
  // A column that changes within the series of the file can form more groups than there are series.
  const isWithin = names.columns.some((name) => columns.some((column) => column.name === name && !column.isStatic))
  return Math.max(1, Math.min(isWithin ? series?.totalRows ?? 1 : own, groups))
}

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
