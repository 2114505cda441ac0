import { countryName, countryOf } from '../countries.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const holidays = phrase(
  '(?:(?:public|bank|national|legal|school|official|local) )?(?:holidays?|feiertage|feiertagen)(?: ' +
    '(?:calendar|effects?))?'
)
const placeBehind = /^ (?:in|of|for|from) (?:the )?/
const without = / (?:without|ignore|ignoring|no|exclude|excluding|not|skip) (?:the )?$/
const lead =
  / (?:using|use|with|considering|consider|including|include|incl|account for|respect|respecting|add|and) (?:the )?$/
const maxWords = 3
/** Nobody speaks of holidays as often. */
const maxLooks = 20

/** `holidays in Germany`, `German holidays`, `UK bank holidays`: of which country. */
export const holidayPlaceRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  const add = (code: string, from: number, to: number): void => {
    const before = text.keys(from - 3, from)
    const isOut = without.test(before)
    const start = from - ((isOut ? without : lead).exec(before)?.[0].trim().split(' ').length ?? 0)
    findings.push({
      field: 'user_constraints',
      value: `${isOut ? 'without' : 'use'} holidays ${countryName(code)}`,
      from: start,
      to,
      weight: 0.95
    })
  }
  let looks = 0
  for (const { from, to } of text.find(holidays)) {
    if (looks++ >= maxLooks) break
    const preposition = placeBehind.exec(text.keys(to, to + 2))
    if (preposition !== null) {
      const at = to + preposition[0].trim().split(' ').length
      const words = lengths().find((length) => isPlace(text.source(at, at + length)))
      if (words !== undefined) add(countryOf(text.source(at, at + words)) as string, from, at + words)
      continue
    }
    const words = lengths().find((length) => from - length >= 0 && isPlace(text.source(from - length, from)))
    if (words !== undefined) add(countryOf(text.source(from - words, from)) as string, from - words, to)
  }
  return findings
}

function lengths (): number[] {
  return Array.from({ length: maxWords }, (_, index) => maxWords - index)
}

/** Two letters are a code, or a word of every day. */
function isPlace (words: string): boolean {
  return (words.length > 2 || /^\p{Lu}{2}$/u.test(words)) && countryOf(words) !== undefined
}
