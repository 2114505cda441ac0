import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayBeTarget } from '../columns/column-roles.ts'
import type { Mention } from '../columns/mentions.ts'
import type { Finding, Reading, Rule } from './rule.ts'
import { endsTarget, isHorizonBehind, targetPlaces } from './target-places.ts'

const maxWords = 4

/**
 * `forecast ADR EUR`, whose values are text; `the target is store_type`: named as the target, and none that a forecast
 * can be made of.
 */
export const unusableTargetRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  const add = (mention: Mention): void => {
    const column = unusable(reading, mention)
    if (column !== undefined) {
      findings.push({ field: 'unusable_target', value: column, from: mention.from, to: mention.to, weight: 0.95 })
    }
  }
  for (const { from, isSure } of targetPlaces(text)) {
    const mention = firstMention(reading, from)
    if (mention === undefined) continue
    if (isUsable(mention)) {
      // `rooms sold and ADR EUR` are two.
      const second = /^(?:and|or|plus)$/.test(text.key(mention.to)) ? reading.mentionAt.get(mention.to + 1) : undefined
      if (second !== undefined && endsTarget(text, second.to)) add(second)
    } else if (isSure ? endsTarget(text, mention.to) : mention.from === from && isHorizonBehind(text, mention.to)) {
      add(mention)
    }
  }
  return findings
}

/** The first mention of a place that is not only of what the series are called: `hotel ADR`, `all stores`. */
function firstMention (reading: Reading, from: number): Mention | undefined {
  let at = from
  while (at < from + maxWords) {
    const mention = reading.mentionAt.get(at)
    if (mention === undefined) return undefined
    const next = reading.mentionAt.get(mention.to)
    if (next === undefined) return mention
    at = mention.to
  }
  return undefined
}

function isUsable ({ columns }: Mention): boolean {
  return columns.some(mayBeTarget)
}

function unusable ({ data, text, valueAt }: Reading, { from, to, columns, likeness }: Mention):
  | ProfiledColumn
  | undefined {
  if (likeness === 'synonym' || likeness === 'fuzzy' || valueAt.has(from) ||
    isUsable({ from, to: from, columns, likeness })) return undefined
  // `forecast the regions` is about all of them.
  const isPlural = text.key(to - 1).endsWith('s') && text.tokens[to - 1]?.parts.at(-1)?.endsWith('s') !== true
  return columns.find((column) =>
    !namesSeries(column, data) && !(isPlural && column.kind === 'text' && column.isStatic)
  )
}

/** `forecast the stores` is about the series, and `forecast the date` about nothing. */
function namesSeries ({ name, kind }: ProfiledColumn, { roles, series }: DataProfile): boolean {
  return kind === 'timestamp' || name === roles.timestamp || name === roles.itemId ||
    series?.hierarchyColumns.includes(name) === true
}

const numberLike = /^[-+(]?[\p{Sc}]?\s?\d[\d.,'\s\u00a0]*\s?[\p{Sc}%)]?$/u

/** Why no forecast can be made of a column, as a sentence or two. */
export function whyUnusable ({ name, kind, values, isStatic }: ProfiledColumn): string {
  const example = values.find((value) => value !== '')
  const [lead, such] = [`The column "${name}" cannot be forecast:`,
    example === undefined ? '' : `, such as '${example.slice(0, 40)}'`]
  if (kind === 'empty') return `${lead} it has no values.`
  if (kind === 'boolean') return `${lead} its values are true and false, and not numbers.`
  if (kind === 'number' && isStatic) return `${lead} it has one value in each series.`
  if (values.length > 0 &&
    values.filter((value) => value === '' || numberLike.test(value)).length > values.length / 2) {
    return `${lead} its values are text and not numbers${such}. Write numbers with a decimal point and without ` +
      'thousands separators; leave missing values empty.'
  }
  return `${lead} its values are not numbers${such}.`
}
