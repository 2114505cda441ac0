import { conceptsOf } from '../columns/concepts.ts'
import { isOfAnything } from '../columns/series-words.ts'
import { fold, nameParts, singular } from '../text/fold.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const lead = phrase('per|by|for each|for every|each|every|by each')
/** What series are in most files. */
const things = new Set(['place', 'product', 'sensor'])

/**
 * `per store`, `for each meter`, where the series have an id that does not say what they are: they are that, or their
 * ids say so.
 */
export const seriesNamedRule: Rule = ({ data, text, mentionAt, valueAt }) => {
  const { itemId } = data.roles
  const column = data.columns.find(({ name }) => name === itemId)
  if (itemId === null || column === undefined || !isOfAnything(itemId)) return []
  const ofIds = new Set(column.values.flatMap((value) => nameParts(value)).map((part) => singular(fold(part))))
  const findings: Finding[] = []
  for (const { from, to } of text.find(lead)) {
    const word = text.tokens[to]?.parts.at(-1)
    if (word === undefined || mentionAt.has(to) || valueAt.has(to)) continue
    if (ofIds.has(word) || conceptsOf(word).some((concept) => things.has(concept))) {
      findings.push({ field: 'grouping', value: [itemId], from, to: to + 1, weight: 0.9 })
    }
  }
  return findings
}
