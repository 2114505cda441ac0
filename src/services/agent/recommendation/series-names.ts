import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { coherenceWish } from './coherence-wish.ts'
import { shareLeft, valuesLeft } from './nesting.ts'

/**
 * What names the series of a forecast: the item id column, several columns together, or nothing if the file is a single
 * series.
 */
export type SeriesNames = { itemId: string } | { columns: string[] }

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
