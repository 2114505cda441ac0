import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { wordsOfName } from '../text/fold.ts'
import { words } from '../words/word-lists.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf } from '../words/meanings.ts'
import { natureOf } from './natures.ts'

/* What a column can be in a forecast, by its kind and by what it already is. */

export function mayBeTarget ({ kind, isStatic }: ProfiledColumn): boolean {
  return kind === 'number' && !isStatic
}

/**
 * Whether it may be what is meant though nobody says that it shall be forecast: two values are a mark, and what is
 * known ahead is no question.
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
 * The columns besides the target that may be meant as well where nobody says what shall be forecast: amounts and levels
 * that move nothing else.
 */
export function otherwiseMeant ({ columns, roles, series }: DataProfile): string[] {
  const taken = new Set([roles.target, roles.timestamp, roles.itemId, ...series?.hierarchyColumns ?? []])
  const own = columns.filter((column) =>
    isPlausibleTarget(column) && !taken.has(column.name) && natureOf(column.name) !== 'rate' && !namesDriver(column)
  ).map(({ name }) => name)
  return [...new Set([...roles.otherTargets, ...own])]
}

/** The columns that a forecast may be about, that of the profile first. */
export function plausibleTargets ({ columns, roles, series }: DataProfile): string[] {
  const taken = new Set([roles.timestamp, roles.itemId, ...series?.hierarchyColumns ?? []])
  const likely = [roles.target, ...roles.otherTargets].filter((name) => name !== null)
  return [
    ...new Set([...likely,
      ...columns.filter((column) => isPlausibleTarget(column) && !taken.has(column.name)).map(({ name }) => name)])
  ]
}

/** Whether a name says of itself that it is what shall be forecast, as `target` and `demand_mw` do. */
export function namesItselfTarget (name: string): boolean {
  const parts = wordsOfName(name).filter((part) => !words.measureUnits.has(part))
  return parts.length > 0 && parts.every((part) => words.targetNames.has(part))
}

export function mayGroup ({ kind, distinct, isStatic }: ProfiledColumn): boolean {
  return kind === 'text' || (kind === 'boolean' && isStatic) || (kind === 'number' && isStatic && distinct > 1)
}

/** Whether it may go along with the target. */
export function mayExplain ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return name !== roles.timestamp && name !== roles.itemId && kind !== 'empty' && kind !== 'timestamp' &&
    series?.hierarchyColumns.includes(name) !== true
}
