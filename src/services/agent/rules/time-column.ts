import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { phrase } from '../text/prompt-text.ts'
import { readColumns } from './lists.ts'
import type { Finding, Rule } from './rule.ts'

const lead = phrase(
  '(?:time|date|timestamp|datetime)(?: (?:column|axis|index|field|is|:|=|in|called|named)){1,3}|(?:based ' +
    'on|according to|use|using|by|over|along|in)(?: the)?|ordered by|indexed by'
)
const asTime = phrase(
  '(?:as|is|for|be) (?:the |a |our )?(?:time|date|timestamp|datetime)(?: (?:column|axis|index|field))?'
)

/** `the date column is delivery_date`, `based on order date`, `shipped_at as the timestamp`. */
export const timeColumnRule: Rule = (reading) => {
  const isTime = ({ name, kind }: ProfiledColumn): boolean =>
    kind === 'timestamp' || name === reading.data.roles.timestamp
  const findings: Finding[] = []
  for (const { from, to } of reading.text.find(lead)) {
    const list = readColumns(reading, to, isTime)
    const column = list?.items[0]?.columns[0]
    if (list !== undefined && column !== undefined) {
      findings.push({ field: 'time_column', value: column.name, from, to: list.to, weight: 0.9 })
    }
  }
  for (const { from, to } of reading.text.find(asTime)) {
    const mention = reading.mentionBefore.get(from)
    const column = mention?.columns.find(isTime)
    if (mention !== undefined && column !== undefined) {
      findings.push({ field: 'time_column', value: column.name, from: mention.from, to, weight: 1 })
    }
  }
  return findings
}
