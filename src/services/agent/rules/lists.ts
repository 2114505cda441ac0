import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import type { Mention, ValueMention } from '../columns/mentions.ts'
import type { Reading } from './rule.ts'

const fillers = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'their', 'its', 'both', 'all', 'any', 'each', 'every',
  'this', 'these', 'that', 'those', '"', "'", 'column', 'columns', 'feature', 'features', 'variable', 'variables',
  'field', 'total', 'historical', 'past', 'future', 'known', 'planned', 'of', 'on', 'in', 'effect', 'effects', 'impact',
  'information', 'data', 'about'])
const separators = new Set([',', 'and', 'or', 'as', 'well', 'plus', 'along', 'with', 'also', '/', '"', "'", 'nor',
  'then', 'data', 'column', 'columns', 'level', 'information', 'effect', 'effects'])

/** A list is read anew from each of its items where nothing says what it is for. */
const mostItems = 200

export interface MentionList<T> {
  items: T[]
  to: number
}

/** The columns that are named one after the other from a token on: `the price, promo and stock`. */
export function readColumns (reading: Reading, index: number, fits: (column: ProfiledColumn) => boolean): MentionList<
  Mention
> | undefined {
  return readList(index, (at) => {
    const mention = reading.mentionAt.get(at)
    const columns = mention?.columns.filter(fits) ?? []
    return mention === undefined || columns.length === 0 ? undefined : { ...mention, columns }
  }, (at) => reading.text.key(at))
}

export function readValues (reading: Reading, index: number): MentionList<ValueMention> | undefined {
  return readList(index, (at) => reading.valueAt.get(at), (at) => reading.text.key(at),
    (at) => reading.mentionAt.get(at)?.to)
}

function readList<T extends { to: number }> (index: number, itemAt: (index: number) => T | undefined,
  key: (index: number) => string, skipTo?: (index: number) => number | undefined): MentionList<T> | undefined {
  const items: T[] = []
  let at = index
  let to = index
  while (items.length < mostItems) {
    const before = at
    // `as the South is another team's` is no part of a list, `as well as` is.
    while (items.length > 0 && at < to + 4 && separators.has(key(at)) &&
      (key(at) !== 'as' || key(at + 1) === 'well' || key(at - 1) === 'well')) at++
    if (items.length > 0 && at === before) break
    while (fillers.has(key(at)) && itemAt(at) === undefined && at < before + 8) at++
    let item = itemAt(at)
    if (item === undefined) {
      // `the region North`: the column of a value may stand before it.
      const next = skipTo?.(at)
      if (next !== undefined) item = itemAt(next)
    }
    if (item === undefined) break
    items.push(item)
    at = to = item.to
  }
  return items.length === 0 ? undefined : { items, to }
}
