import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { fold, nameParts, singular } from '../text/fold.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf } from './concepts.ts'
import { natureOf } from './natures.ts'

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

/** Meanings and words of names that influence the target and are rarely the target. */
const driverConcepts = new Set(['price', 'advertising', 'temperature', 'wind', 'rain', 'sun', 'promotion', 'stock',
  'staff', 'holiday', 'weather', 'doctors'])
const driverWords = new Set(
  'available planned scheduled capacity alert flag email push area degree day humidity snow shutdown'.split(' ')
)

function namesDriver (column: ProfiledColumn): boolean {
  return columnWords(column).some((part) =>
    driverWords.has(part) || conceptsOf(part).some((concept) => driverConcepts.has(concept))
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

const ownWords = new Set('target y value demand sale quantity qty volume label observed observation actual'.split(' '))
const ofMeasures = new Set(
  'mw kw kwh mwh gwh eur usd gbp chf pct percent total sum net gross col column of the sold daily weekly monthly hourly'
    .split(' ')
)

/** Whether a name marks its column as the target, as `target` and `demand_mw` do. */
export function namesItselfTarget (name: string): boolean {
  const parts = nameParts(name).map((part) => singular(fold(part))).filter((part) => !ofMeasures.has(part))
  return parts.length > 0 && parts.every((part) => ownWords.has(part))
}

export function mayGroup ({ kind, distinct, isStatic }: ProfiledColumn): boolean {
  return kind === 'text' || (kind === 'boolean' && isStatic) || (kind === 'number' && isStatic && distinct > 1)
}

/** Whether the column may be a covariate. */
export function mayExplain ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return name !== roles.timestamp && name !== roles.itemId && kind !== 'empty' && kind !== 'timestamp' &&
    series?.hierarchyColumns.includes(name) !== true
}
