import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { fold, nameParts } from '../../../platform/text/fold.ts'
import type { PromptText } from '../text/tokens.ts'
import { words } from '../words/word-lists.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf } from '../words/meanings.ts'
import type { Mention } from './mentions.ts'

/**
 * Finds the column that words such as `by store` ask for. `store` is only a part of the name `store_type`, so it means
 * that column only if no other column fits, and means the series themselves if these may be stores.
 */
export function groupedBy ({ from, to, columns }: Mention, text: PromptText, { roles, series }: DataProfile): string {
  const [first] = columns as [ProfiledColumn]
  const said = text.tokens.slice(from, to).flatMap(({ parts }) => parts)
  const whole = columns.find((column) => isHead(said, column))
  if (whole !== undefined) return whole.name
  return isOfAnything(roles.itemId) && first.isStatic && (series?.numItems ?? 1) > first.distinct
    ? roles.itemId as string
    : first.name
}

/** Whether the name of an id column does not tell what the ids identify. */
export function isOfAnything (name: string | null): boolean {
  return name !== null && nameParts(name).every((part) => words.idNames.has(fold(part)))
}

/** Whether words include the last word of a name, which names the thing itself. */
function isHead (said: readonly string[], column: ProfiledColumn): boolean {
  const parts = columnWords(column).filter((part) => !words.unspokenOfSeries.has(part))
  const head = parts.at(-1)
  return head === undefined || parts.length < 2 || said.includes(head) ||
    said.some((word) => conceptsOf(word).some((concept) => conceptsOf(head).includes(concept)) || head.startsWith(word))
}
