import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { coherenceWish } from './coherence.ts'
import type { SeriesNames } from './recommendation.ts'

/**
 * The groups that are asked for; else the series as the intent has them, by all levels of the hierarchy where they
 * shall add up.
 */
export function seriesNames (intent: ForecastIntent, { series }: DataProfile): SeriesNames {
  const { grouping_dimensions: groups, entity_columns: entities } = intent
  const levels = series?.hierarchyColumns ?? []
  // A tree is told from its top, in whatever order people name its levels.
  if (groups.length > 0) {
    return { columns: groups.toSorted((one, other) => levels.indexOf(one) - levels.indexOf(other)) }
  }
  if (levels.length > 1 && coherenceWish(intent) !== undefined) return { columns: levels }
  const [only] = entities
  return entities.length === 1 ? { itemId: only as string } : { columns: entities }
}

/** Whether several series of the file become one: less names them than what tells them apart there. */
export function joinsSeries (names: SeriesNames, { roles, series }: DataProfile): boolean {
  if ('itemId' in names || series === null || series.numItems < 2) return false
  const own = roles.itemId === null ? series.hierarchyColumns : [roles.itemId]
  return own.length === 0 || !own.every((name) => names.columns.includes(name))
}

/**
 * Rows of the shortest series that is forecast, as far as the profile tells. A group has the rows of all its members,
 * so one young member makes none of them short; whether a whole group is young only the rows say, which a worker looks
 * at before a job is made.
 */
export function shortestLength (names: SeriesNames, data: DataProfile): number {
  const { minLength = 0, maxLength = 0 } = data.series ?? {}
  return joinsSeries(names, data) ? maxLength : minLength
}

/** Series that there can be once rows are filtered; groups of the data may be fewer than their columns allow. */
export function countSeries (names: SeriesNames, intent: ForecastIntent, data: DataProfile): number {
  const { columns, series } = data
  const own = Math.max(1, Math.round((series?.numItems ?? 1) * shareLeft(intent, data)))
  if ('itemId' in names) return own
  const groups = names.columns.reduce(
    (product, name) =>
      product * valuesLeft(columns.find((column) => column.name === name) ?? { name, distinct: 1 }, intent),
    1
  )
  // Of a column that changes within the series of the file there can be more groups than series.
  const isWithin = names.columns.some((name) => columns.some((column) => column.name === name && !column.isStatic))
  return Math.max(1, Math.min(isWithin ? series?.totalRows ?? 1 : own, groups))
}

/** Values of a column that its filters leave; about, where they do not say which. */
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

/** Share of the series that filters leave by columns that each series has one value of. */
export function shareLeft (intent: Pick<ForecastIntent, 'filters'>, { columns }: DataProfile): number {
  return columns.filter(({ isStatic, distinct }) => isStatic && distinct > 0).reduce(
    (share, column) => share * valuesLeft(column, intent) / column.distinct,
    1
  )
}

/**
 * Columns of the hierarchy that still nest once rows are filtered: sums over them would be of something. Empty: none
 * do. `count`: series that are left.
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
  // A level is above another one only where the series are told apart without it: of columns that merely cross each
  // series needs both.
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
