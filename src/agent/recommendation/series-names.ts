import type { DataProfile } from '../../queue/data-profile.ts'
import type { ForecastIntent } from '../../queue/forecast-intent.ts'
import { coherenceWish } from './coherence.ts'
import { shareLeft, valuesLeft } from './nesting.ts'

/** What names a series of the forecast: the item id column, or several columns together, or nothing, where the file is one series. */
export type SeriesNames = { itemId: string } | { columns: string[] }

/** The groups that are asked for; else the series as the intent has them, by all levels of the hierarchy where they shall add up. */
export function seriesNames (intent: ForecastIntent, { series }: DataProfile): SeriesNames {
  const { grouping_dimensions: groups, entity_columns: entities } = intent
  const levels = series?.hierarchyColumns ?? []
  // A tree is told from its top, in whatever order people name its levels.
  if (groups.length > 0) return { columns: groups.toSorted((one, other) => levels.indexOf(one) - levels.indexOf(other)) }
  if (levels.length > 1 && coherenceWish(intent) !== undefined) return { columns: levels }
  const [only] = entities
  return entities.length === 1 ? { itemId: only as string } : { columns: entities }
}

/** Series that there can be once rows are filtered; groups of the data may be fewer than their columns allow. */
export function countSeries (names: SeriesNames, intent: ForecastIntent, data: DataProfile): number {
  const { columns, series } = data
  const own = Math.max(1, Math.round((series?.numItems ?? 1) * shareLeft(intent, data)))
  if ('itemId' in names) return own
  const groups = names.columns.reduce((product, name) => product * valuesLeft(columns.find((column) => column.name === name) ?? { name, distinct: 1 }, intent), 1)
  return Math.max(1, Math.min(own, groups))
}
