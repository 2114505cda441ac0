import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { fold, nameParts, singular } from '../text/fold.ts'

/** Each name is split only once, because a prompt may name the same hundreds of columns thousands of times. */
const known = new WeakMap<ProfiledColumn, readonly string[]>()

/** The words of a column's name in their normal form. */
export function columnWords (column: ProfiledColumn): readonly string[] {
  const found = known.get(column)
  if (found !== undefined) return found
  const words = nameParts(column.name).map((part) => singular(fold(part)))
  known.set(column, words)
  return words
}
