import type { DataProfile, ProfiledColumn } from '../../queue/data-profile.ts'

/* What a column can be in a forecast, by its kind and by what it already is. */

export function mayBeTarget ({ kind, isStatic }: ProfiledColumn): boolean {
  return kind === 'number' && !isStatic
}

export function mayGroup ({ kind, distinct, isStatic }: ProfiledColumn): boolean {
  return kind === 'text' || (kind === 'boolean' && isStatic) || (kind === 'number' && isStatic && distinct > 1)
}

/** Whether it may go along with the target. */
export function mayExplain ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return name !== roles.timestamp && name !== roles.itemId && kind !== 'empty' && kind !== 'timestamp' && series?.hierarchyColumns.includes(name) !== true
}
