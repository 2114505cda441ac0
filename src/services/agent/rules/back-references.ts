import { phrase } from '../text/prompt-text.ts'
import { readPeriod, type Period } from '../time/read-period.ts'
import { horizonUntil } from './calendar-bounds.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const pointer = phrase(
  '(?:right )?(?:up to|up until|until|till|til|through to|through|thru|to|by|before)(?: and including)? (?:then|that ' +
    '(?:same )?(?:date|day|point|time|week|month|quarter|year|deadline|moment|event)|(?:the ' +
    ')?(?:said|same|aforementioned) (?:date|day|deadline|week|month))'
)
const maxPointers = 3
const maxWordsBack = 80

/** `Our season closes on 30 June. Daily sales up to that date`: an end that was named before. */
export const backReferenceRule: Rule = (reading) => {
  const findings: Finding[] = []
  let read = 0
  for (const { from, to } of reading.text.find(pointer)) {
    if (read++ >= maxPointers) break
    const period = lastPeriod(reading, from)
    if (period !== undefined) findings.push({ field: 'horizon', value: horizonUntil(period), from, to, weight: 1 })
  }
  return findings
}

/**
 * The last time ahead of the data that stands before a token, read from left to right so that `june next year` is one.
 */
function lastPeriod ({ text, end }: Reading, before: number): Period | undefined {
  let last: Period | undefined
  if (end === null) return undefined
  for (let at = Math.max(0, before - maxWordsBack); at < before;) {
    // `daily` and `the` begin no time, though `readPeriod` would look past them.
    const period = /^(?:the|all|of|and|to|a|in|on|by|for)$/.test(text.key(at)) ? undefined : readPeriod(text, at, end)
    if (period !== undefined && period.to <= before && period.last.getTime() > end.getTime()) last = period
    at = Math.max(at + 1, Math.min(period?.to ?? 0, before))
  }
  return last
}
