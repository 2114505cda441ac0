import { phrase } from '../text/prompt-text.ts'
import { day } from '../time/civil-time.ts'
import type { Finding, Rule } from './rule.ts'

const pattern = phrase(
  '(?:(?:until|till|through|thru|for|to|up to|in|during|over|by) )?(?:(?:the )?(?:end|close|all|rest|remainder) of ' +
    ")?(?:the )?(?:(?<joined>fy'?(?:20)?\\d{2})|(?:fy|fiscal year|financial " +
    "year|fiscal|geschaeftsjahr|geschaftsjahr) ?'? (?<year>(?:20)?\\d{2}))"
)
const ofPast =
  / (?:since|from|train|trained|training|fit|using|use|data|history|actuals|ignore|exclude|excluding|without|before|versus|vs|against|compared|compare|until end of|budget|plan) (?:(?:on|to|with|for|of|the|until|till|through) ){0,2}$/

/** `for FY2027`, `until the end of fiscal year 27`: to the last day of a year of the calendar. */
export const fiscalYearRule: Rule = ({ text, end }) => {
  if (end === null) return []
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const number = Number((groups['joined'] ?? groups['year'] ?? '').replace(/\D/g, ''))
    const last = day(number < 100 ? 2000 + number : number, 11, 31)
    // One that is over is no horizon.
    if (last.getTime() <= end.getTime() || ofPast.test(text.keys(from - 4, from))) continue
    findings.push({ field: 'horizon', value: { kind: 'until', day: last }, from, to, weight: 1 })
  }
  return findings
}
