import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { fold, nameParts } from '../text/fold.ts'
import type { PromptText } from '../text/prompt-text.ts'
import { columnWords } from './column-words.ts'
import { conceptsOf } from './concepts.ts'
import type { Mention } from './mentions.ts'

/** Names of id columns that do not tell what the series are. */
const ofAnything = new Set('item id series unique key ts code name number no'.split(' '))
const unspoken = new Set('id code name no nr number key total col column'.split(' '))

/**
 * Finds the column that words such as `by store` ask for. `store` is only a part of the name `store_type`, so it means
 * that column only if no other column fits, and means the series themselves if these may be stores.
 */
export function groupedBy ({ from, to, columns }: Mention, text: PromptText, { roles, series }: DataProfile): string {
  const [first] = columns as [ProfiledColumn]
  const words = text.tokens.slice(from, to).flatMap(({ parts }) => parts)
  const whole = columns.find((column) => isHead(words, column))
  if (whole !== undefined) return whole.name
  return isOfAnything(roles.itemId) && first.isStatic && (series?.numItems ?? 1) > first.distinct
    ? roles.itemId as string
    : first.name
}

/** Whether the name of an id column does not tell what the ids identify. */
export function isOfAnything (name: string | null): boolean {
  return name !== null && nameParts(name).every((part) => ofAnything.has(fold(part)))
}

/** Whether words include the last word of a name, which names the thing itself. */
function isHead (words: readonly string[], column: ProfiledColumn): boolean {
  const parts = columnWords(column).filter((part) => !unspoken.has(part))
  const head = parts.at(-1)
  return head === undefined || parts.length < 2 || words.includes(head) ||
    words.some((word) =>
      conceptsOf(word).some((concept) => conceptsOf(head).includes(concept)) || head.startsWith(word)
    )
}
