import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayExplain } from '../columns/column-roles.ts'
import type { Mention } from '../columns/mentions.ts'
import { groupedBy } from '../columns/series-words.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { defined } from '../../../platform/defined.ts'

const maxWordsBack = 30
const maxColumns = 20
/** Whether a column is known ahead, by the phrase about it. */
const isKnown: Record<string, boolean | undefined> = { known: true, past: false }

/** Reads columns to forecast by: `by region`, `per store`, `for each SKU`, `at region and store level`. */
export function groupingWishes (phrases: readonly FoundPhrase[], { text, data, valueAt }: Reading): Finding[] {
  return phrases.flatMap(({ value, from, to, weight, slots }): Finding[] => {
    if (value === 'none') return [{ field: 'none', value: null, from, to, weight }]
    const mentions = slots[0] as Mention[]
    // `for each region except North` also has a filter, so the value is left to that.
    if (valueAt.has(to) && text.key(from) === 'for') return []
    return [{ field: 'grouping', value: mentions.map((mention) => groupedBy(mention, text, data)), from, to, weight }]
  })
}

/**
 * Reads covariates: `using price`, `ignore promotions`, `the roster is planned ahead`, `stock is only known for the
 * past`, `use both`.
 */
export function covariateWishes (phrases: readonly FoundPhrase[], reading: Reading): Finding[] {
  return phrases.flatMap(({ value: kind, from, to, weight, slots }): Finding[] => {
    const [what = '', isOfIt] = kind.split('_')
    const columns = isOfIt === undefined ? columnsMeant(reading, what, slots) : meantBefore(reading, from)
    if (columns.length === 0 && what !== 'all' && what !== 'none') return []
    const isUsed = what !== 'avoid' && what !== 'none'
    const value = { columns: columns.map(({ name }) => name), isUsed, ...defined({ isKnownAhead: isKnown[what] }) }
    return [{ field: 'covariates', value, from, to, weight }]
  })
}

function columnsMeant ({ data }: Reading, what: string, slots: unknown[]): ProfiledColumn[] {
  if (what === 'all' || what === 'none') {
    return data.columns.filter((column) =>
      mayExplain(column, data) && column.name !== data.roles.target && !column.isStatic
    )
  }
  // If several columns have the name, all of them are meant.
  const meant = (slots.at(-1) as Mention[]).map(({ columns, likeness }) =>
    likeness === 'exact' ? columns : columns.slice(0, 1)
  )
  return meant.flat().slice(0, maxColumns)
}

/** The columns that `it` or `both` mean: those named last that are not the target. */
function meantBefore ({ mentions, data, text }: Reading, before: number): ProfiledColumn[] {
  const earlier = mentions.filter((mention) =>
    mention.to <= before && mention.to > before - maxWordsBack &&
    fitting(mention, data) !== undefined
  )
  const named: ProfiledColumn[] = []
  for (let last = earlier.pop(); last !== undefined; last = earlier.pop()) {
    named.unshift(fitting(last, data) as ProfiledColumn)
    let at = last.from
    while (/^(?:and|,|the|our|both)$/.test(text.key(at - 1)) && at > last.from - 3) at--
    if (at === last.from || earlier.at(-1)?.to !== at || !/ and /.test(text.keys(at, last.from))) break
  }
  return named
}

/** If nothing asks for the column, a synonym is not enough evidence. */
function fitting ({ columns, likeness }: Mention, data: Reading['data']): ProfiledColumn | undefined {
  if (likeness === 'fuzzy' || columns.some(({ name }) => name === data.roles.target)) return undefined
  return columns.find((column) => mayExplain(column, data) && !column.isStatic)
}
