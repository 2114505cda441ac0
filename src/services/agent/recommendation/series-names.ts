import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { coherenceWish } from './coherence-wish.ts'
import { shareLeft, valuesLeft } from './nesting.ts'

/**
 * What names a series of the forecast: the item id column, or several columns together, or nothing, where the file is
 * one series.
 */
export type SeriesNames = { itemId: string } | { columns: string[] }

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
