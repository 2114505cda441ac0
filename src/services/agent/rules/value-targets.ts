import { functionWords, grammarWords } from '../text/vocabulary.ts'
import { readValues } from './lists.ts'
import type { Finding, Rule } from './rule.ts'
import { endsTarget, isHorizonBehind, targetPlaces } from './target-places.ts'

/**
 * `Revenue by cost center for 6 months`, where Revenue is a value of the column `account`: those rows are what shall be
 * forecast.
 */
export const valueTargetRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  for (const { from, isSure } of targetPlaces(text)) {
    if (reading.mentionAt.has(from) || functionWords.has(text.key(from)) || grammarWords.has(text.key(from))) continue
    const list = reading.valueAt.has(from) ? readValues(reading, from) : undefined
    if (list === undefined ||
      !(isSure
        ? endsTarget(text, list.to)
        : endsTarget(text, list.to) || isHorizonBehind(text, list.to) || reading.mentionAt.has(list.to))) continue
    const columns = [...new Set(list.items.map(({ values }) => values[0]?.column as string))]
    const filters = columns.map((column) => {
      const values = [
        ...new Set(
          list.items.flatMap((item) => item.values.filter((value) => value.column === column).map(({ value }) => value))
        )
      ]
      return { column, op: values.length === 1 ? 'eq' as const : 'in' as const, value: values.join(',') }
    })
    const to = text.key(list.to) === 'only' ? list.to + 1 : list.to
    findings.push({ field: 'filters', value: filters, from, to, weight: 0.84 })
  }
  return findings
}
