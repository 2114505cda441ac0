import { phrase } from '../text/prompt-text.ts'
import { unitPattern, type TimeUnit } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'

const words: Record<string, TimeUnit> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
  seasonal: 'year'
}
const adjective = 'hourly|daily|weekly|monthly|quarterly|yearly|annual'
const noun = 'seasonality|seasonalities|seasonal|seasons?|cycles?|cyclicity|patterns?|rhythm|periodicity'
const named = phrase(
  `(?<list>(?:${adjective})(?: (?:,|and|or|, and|plus|as well as) (?:an? )?(?:${adjective})){0,3}) (?:${noun})(?: ` +
    '(?:pattern|cycle|effects?))?'
)
const length = phrase(
  `(?<number>\\d+) (?<unit>${unitPattern})(?: long)? (?:${noun})|(?:${noun})(?: (?:length|period))?(?: ` +
    `(?:of|is|=|:|every)){1,2} (?<number2>\\d+) (?<unit2>${unitPattern})`
)
const none = phrase(
  '(?:no|without|without any|ignore|ignoring|dont use|dont model|disable|non|not)(?: ' +
    '(?:any|the|use|model|weekly|yearly|annual|daily|monthly))? (?:seasonality|seasonalities|seasonal(?: ' +
    '(?:effects?|patterns?|component))?)'
)

/** `weekly seasonality`, `daily and weekly cycles`, `no seasonality`. */
export const seasonalityRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to } of text.find(none)) findings.push({ field: 'seasonality', value: [], from, to, weight: 1 })
  for (const { from, to, groups } of text.find(named)) {
    const units = (groups['list'] as string).split(' ').map((word) => words[word]).filter((unit) => unit !== undefined)
    findings.push({
      field: 'seasonality',
      value: [...new Set(units)].map((unit) => ({ quantity: 1, unit })),
      from,
      to,
      weight: 1
    })
  }
  for (const { from, to, groups } of text.find(length)) {
    const [number, unit] = [groups['number'] ?? groups['number2'], groups['unit'] ?? groups['unit2']]
    findings.push({
      field: 'seasonality',
      value: [{ quantity: Number(number), unit: unit as TimeUnit }],
      from,
      to,
      weight: 1
    })
  }
  return findings
}
