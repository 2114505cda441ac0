import { mayGroup } from '../columns/column-roles.ts'
import { groupedBy } from '../columns/series-words.ts'
import { phrase } from '../text/prompt-text.ts'
import { readColumns } from './lists.ts'
import type { Finding, Rule } from './rule.ts'

const lead = phrase(
  '(?:(?:by|per|for each|for every|for all|each|every|for|all) )?(?:(?:unique|distinct|possible|single) ' +
    ')?(?:combinations?|pairs?|pairings?) of|by|per|for each|for every|for all|each|every|for ' +
    'individual|individual|split by|split into|split|broken down by|break down by|break it down by|breakdown ' +
    'by|broken out by|grouped by|group by|grouping by|aggregated by|aggregate by|segmented by|segment by|separately ' +
    'for|separate for|separated by|separately by|at|on|across|for'
)
const wise = phrase('level|wise|specific|separately')

/** `by region`, `per store`, `for each SKU`, `at region and store level`: columns to forecast by. */
export const groupingRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  for (const { from, to } of text.find(lead)) {
    const list = readColumns(reading, to, mayGroup)
    if (list === undefined) continue
    const words = text.keys(from, to).trim()
    if (/ (?:not|no|dont|without|never)(?: (?:split|group|grouped|break|broken))? $/.test(text.keys(from - 2, from))) {
      findings.push({ field: 'none', value: null, from, to: list.to, weight: 1 })
      continue
    }
    const hasLevel = /^ (?:and \S+ )?(?:level|basis|granularity|grain|wise) /.test(text.keys(list.to, list.to + 1))
    const each = / (?:each|every|all|individual) /.test(text.keys(to, (list.items[0] as { from: number }).from))
    // `at the store`, `for all stores` and `for the region North` say nothing of groups.
    if (/^(?:at|on)$/.test(words) && !hasLevel) continue
    if (words === 'across' || words === 'for all' ||
      (words === 'for' && (!each || / all /.test(text.keys(to, list.to))))) {
      if (words !== 'for') findings.push({ field: 'none', value: null, from, to: list.to, weight: 0.7 })
      continue
    }
    // `each region except North` is a filter as well; the value stays for it.
    if (reading.valueAt.get(list.to) !== undefined && words === 'for') continue
    findings.push({
      field: 'grouping',
      value: list.items.map((mention) => groupedBy(mention, text, reading.data)),
      from,
      to: list.to + (hasLevel ? 1 : 0),
      weight: 1
    })
  }
  for (const { from, to } of text.find(wise)) {
    const mention = reading.mentionBefore.get(from)
    const column = mention?.columns.find(mayGroup)
    if (mention !== undefined && column !== undefined) {
      findings.push({ field: 'grouping', value: [column.name], from: mention.from, to, weight: 0.9 })
    }
  }
  return findings
}
