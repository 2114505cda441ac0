import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const lead = phrase(
  '(?:(?:only|just|except|without|excluding|exclude|ignore|leave out|skip|drop|omit)(?: ' +
    '(?:the|all|any|those|these|days?|weeks?|months?|hours?|periods?|rows?|times|dates|businessday|that|which)){0,4} ' +
    '(?:when|where|whenever|while|with|that (?:have|has|had|are|is)|which ' +
    '(?:have|has|had|are|is))|(?:when|whenever|while|where)|(?:on|for|in) (?:the ' +
    ')?(?:days?|weeks?|months?|hours?|periods?) (?:when|where|with|that (?:have|has|are)))'
)
const maxBetween = 5

/**
 * `when the shop is open`, `without weeks that have a holiday`: rows with a mark. Which value of the mark is meant is
 * not said.
 */
export const markedRowsRule: Rule = ({ text, mentionAt }) => {
  const findings: Finding[] = []
  for (const { from, to } of text.find(lead)) {
    for (let at = to; at < to + maxBetween && !/^(?:,|\.|;|:)$/.test(text.key(at)); at++) {
      const mention = mentionAt.get(at)
      if (mention?.columns.some(({ kind, distinct }) => kind === 'boolean' || (kind === 'number' && distinct <= 2)) !==
        true) continue
      findings.push({ field: 'unknown_rows', value: text.source(from, mention.to), from, to: mention.to, weight: 0.65 })
      break
    }
  }
  return findings
}
