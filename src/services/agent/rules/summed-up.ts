import { phrase } from '../text/prompt-text.ts'
import { readValues } from './lists.ts'
import type { Finding, Rule } from './rule.ts'

const overAll = phrase(
  '(?:add|adding|added|sum|summing|summed|total|totalled|totaled|lump|lumped|aggregate|aggregated|roll|rolled|combine|combined)(?: ' +
    '(?:up|together))?(?: (?:over|across|of))? (?:all|every)(?: of)?(?: (?:the|our|these|those))?'
)
const overNamed = phrase(
  '(?:added up|add up|adding up|summed up|summed|sum|summing|sum up|totalled|totaled|combined|aggregated|added ' +
    'together)(?: (?:over|across))'
)
const notSeries = /^(?:negative|missing|values?|numbers|figures|up|data|rows|columns?|gaps?|\.|,|:|\))$/

/**
 * `add up all substations`, `summed over revenue and opex`: one series of everything, or of the rows that are named.
 */
export const summedUpRule: Rule = (reading) => {
  const { text, mentionAt } = reading
  const findings: Finding[] = []
  const add = (from: number, to: number): void => {
    findings.push({ field: 'grand_total', value: null, from, to, weight: 0.95 })
  }
  for (const { from, to } of text.find(overAll)) {
    const mention = mentionAt.get(to)
    // `all sales` are no series.
    if (mention === undefined
      ? text.tokens[to]?.kind === 'word' && !notSeries.test(text.key(to))
      : mention.columns.some(({ kind }) => kind === 'text')) add(from, mention?.to ?? to + 1)
  }
  for (const { from, to } of text.find(overNamed)) {
    const at = /^(?:the|our|all|both)$/.test(text.key(to)) ? to + 1 : to
    const values = readValues(reading, at)
    const mention = mentionAt.get(at)
    if (values === undefined) {
      if (mention?.columns.some(({ kind }) => kind === 'text') === true) add(from, mention.to)
      continue
    }
    add(from, at)
    const columns = [...new Set(values.items.map((item) => item.values[0]?.column as string))]
    const filters = columns.map((column) => {
      const named = [
        ...new Set(
          values.items.flatMap((item) =>
            item.values.filter((value) => value.column === column).map(({ value }) => value)
          )
        )
      ]
      return { column, op: named.length === 1 ? 'eq' as const : 'in' as const, value: named.join(',') }
    })
    findings.push({ field: 'filters', value: filters, from: at, to: values.to, weight: 0.95 })
  }
  return findings
}
