import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { wordsOfName } from '../../../platform/text/fold.ts'
import { words } from '../words/word-lists.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf } from '../words/meanings.ts'
import { natureOf } from '../../recommendations/natures.ts'

/* The roles that a column may have in a forecast, by its kind and its current roles. */

export function mayBeTarget ({ kind, isStatic }: ProfiledColumn): boolean {
  return kind === 'number' && !isStatic
}

/**
 * Whether the column may be the target although nobody says so. A column with two values is a mark, and one that is
 * known ahead needs no forecast.
 */
export function isPlausibleTarget (column: ProfiledColumn): boolean {
  return mayBeTarget(column) && column.distinct > 2 && !column.isKnownAhead
}

function namesDriver (column: ProfiledColumn): boolean {
  return columnWords(column).some((part) =>
    words.driverNames.has(part) || conceptsOf(part).some((concept) => words.driverMeanings.has(concept))
  )
}

/**
 * The columns besides the target that may be meant if the prompt names no target: amounts and levels that are no
 * drivers.
 */
export function otherwiseMeant ({ columns, roles, series }: DataProfile): string[] {
  const taken = new Set([roles.target, roles.timestamp, roles.itemId, ...series?.hierarchyColumns ?? []])
  const own = columns.filter((column) =>
    isPlausibleTarget(column) && !taken.has(column.name) && natureOf(column.name) !== 'rate' && !namesDriver(column)
  ).map(({ name }) => name)
  return [...new Set([...roles.otherTargets, ...own])]
}

/** The possible targets, that of the profile first. */
export function plausibleTargets ({ columns, roles, series }: DataProfile): string[] {
  const taken = new Set([roles.timestamp, roles.itemId, ...series?.hierarchyColumns ?? []])
  const likely = [roles.target, ...roles.otherTargets].filter((name) => name !== null)
  return [
    ...new Set([...likely,
      ...columns.filter((column) => isPlausibleTarget(column) && !taken.has(column.name)).map(({ name }) => name)])
  ]
}

/** Whether a name marks its column as the target, as `target` and `demand_mw` do. */
export function namesItselfTarget (name: string): boolean {
  const parts = wordsOfName(name).filter((part) => !words.measureUnits.has(part))
  return parts.length > 0 && parts.every((part) => words.targetNames.has(part))
}

export function mayGroup ({ kind, distinct, isStatic }: ProfiledColumn): boolean {
  return kind === 'text' || (kind === 'boolean' && isStatic) || (kind === 'number' && isStatic && distinct > 1)
}

/** Whether the column may be a covariate. */
export function mayExplain ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return name !== roles.timestamp && name !== roles.itemId && kind !== 'empty' && kind !== 'timestamp' &&
    series?.hierarchyColumns.includes(name) !== true
}
