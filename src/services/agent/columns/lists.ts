import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/tokens.ts'
import type { Mention, ValueMention } from './mentions.ts'

/**
 * The limit on the items of a list, because a list is read again from each of its items if nothing tells its purpose.
 */
const mostItems = 60

export interface MentionList<T> {
  value: T[]
  to: number
}

/**
 * What each use accepts of the mention at a token. It is kept because a long prompt has thousands of lists over the
 * same mentions.
 */
const itemsOf = new WeakMap<NamedText, Map<string, Map<number, Mention | undefined>>>()

/**
 * Reads the columns that are listed from a token on: `the price, promo and stock`. `fits` and `isNamed` must always be
 * the same for one `use` of a reading.
 */
export function readColumns (reading: NamedText, index: number, use: string, fits: (column: ProfiledColumn) => boolean,
  isNamed?: (mention: Mention) => boolean): MentionList<Mention> | undefined {
  const uses = itemsOf.get(reading) ?? new Map<string, Map<number, Mention | undefined>>()
  itemsOf.set(reading, uses)
  const items = uses.get(use) ?? new Map<number, Mention | undefined>()
  uses.set(use, items)
  return readList(reading, index, (at) => {
    if (items.has(at)) return items.get(at)
    const mention = reading.mentionAt.get(at)
    const columns = mention?.columns.filter(fits) ?? []
    const item = mention === undefined || columns.length === 0 || isNamed?.(mention) === false
      ? undefined
      : { ...mention, columns }
    items.set(at, item)
    return item
  })
}

/** Reads the values that are listed from a token on. Their column may stand before them: `the region North`. */
export function readValues (reading: NamedText, index: number): MentionList<ValueMention> | undefined {
  return readList(reading, index, (at) =>
    reading.valueAt.get(at) ??
      reading.valueAt.get(reading.mentionAt.get(at)?.to ?? -1))
}

function readList<T extends { to: number }> (reading: NamedText, index: number, itemAt: (at: number) => T | undefined):
  | MentionList<T>
  | undefined {
  const value: T[] = []
  let at = index
  let to = index
  while (value.length < mostItems) {
    const before = at
    // `as` alone does not continue a list (`as the South is another team's`), but `as well as` does.
    while (value.length > 0 && at < to + 4 && reading.begins('listand', at)) {
      at = reading.behind('listand', at) as number
    }
    if (value.length > 0 && at === before) break
    while (reading.begins('listlead', at) && itemAt(at) === undefined && at < before + 8) at++
    const item = itemAt(at)
    if (item === undefined) break
    value.push(item)
    at = to = item.to
  }
  return value.length === 0 ? undefined : { value, to }
}

/** The words of a prompt, with the columns and values that they name. */
export interface NamedText {
  readonly data: DataProfile
  readonly text: PromptText
  /** Mentions by their first token. */
  readonly mentionAt: ReadonlyMap<number, Mention>
  readonly valueAt: ReadonlyMap<number, ValueMention>
  /** The last timestamp of the data. */
  readonly end: Date | null
  key(at: number): string
  /** The token after a phrase of this class that begins here; undefined: no such phrase begins here. */
  behind(name: string, at: number): number | undefined
  begins(name: string, at: number): boolean
}
