import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { wordsOfName } from '../text/fold.ts'

/** A prompt may name the same hundreds of columns thousands of times: each name is taken apart once. */
const known = new WeakMap<ProfiledColumn, readonly string[]>()

/** The words of a column's name, in one form. */
export function columnWords (column: ProfiledColumn): readonly string[] {
  const found = known.get(column)
  if (found !== undefined) return found
  const words = wordsOfName(column.name)
  known.set(column, words)
  return words
}
