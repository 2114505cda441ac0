import { phrase, type PromptText } from '../text/prompt-text.ts'
import { timeUnits, unitPattern, type TimeUnit } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'

const ofThem = phrase(
  '(?:(?:the )?(?:next|coming|following|first) )?(?<number>\\d+) (?:of (?:those|these|them)|such (?:steps?|periods?))'
)
const corrected = phrase(
  '(?:make (?:that|it|this)|(?:i )?(?:mean|meant)|scratch that|correction|actually|sorry|rather|oops|better|no)(?: ' +
    '(?:,|:|-|make it|make that|no|i meant|rather|better|say|to)){0,3} (?<number>\\d+)'
)
const stepNoun = new RegExp(`^(?:${unitPattern}|%|:|step|period|point|interval|slot|observation|reading|row|value)$`)
const adjectives: Record<string, TimeUnit> = {
  hourly: 'hour',
  halfhourly: 'halfhour',
  quarterhourly: 'quarterhour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year'
}
const units = new Set<string>(timeUnits)
const maxFindings = 10
const maxWordsBack = 40

/** Lengths whose unit was said before: `roll it up to quarters, the next six of those`, `6 weeks - no, make that 8`. */
export const ellipticLengthRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const [pattern, back] of [[ofThem, maxWordsBack], [corrected, 14]] as const) {
    for (const { from, to, groups } of text.find(pattern)) {
      const quantity = Number(groups['number'])
      if (findings.length >= maxFindings || !(quantity > 0) || (pattern === corrected && !mayEnd(text, to))) continue
      // A correction takes back a number, `six of those` needs a unit only.
      const unit = unitBefore(text, from, back, pattern === corrected)
      if (unit !== undefined) {
        findings.push({
          field: 'horizon',
          value: unit === 'step' ? { kind: 'steps', quantity } : { kind: 'duration', quantity, unit },
          from,
          to,
          weight: 1
        })
      }
    }
  }
  return findings
}

/** Whether nothing behind a number says that it counts something else. */
function mayEnd (text: PromptText, to: number): boolean {
  return to >= text.tokens.length || text.tokens[to]?.kind === 'mark'
    ? !stepNoun.test(text.key(to))
    : /^(?:and|but|please|instead|pls|plz|for|by|with|per|in|using|thanks)$/.test(text.key(to))
}

function unitBefore (text: PromptText, before: number, words: number, isCounted: boolean): TimeUnit | 'step'
  | undefined {
  for (let at = before - 1; at >= Math.max(0, before - words); at--) {
    const key = text.key(at)
    if (isCounted && text.tokens[at - 1]?.kind !== 'number' && !/^(?:next|coming|following)$/.test(text.key(at - 1))) {
      continue
    }
    if (units.has(key)) return key as TimeUnit
    if (!isCounted && adjectives[key] !== undefined) return adjectives[key]
    if (/^(?:step|period|point|interval|slot)$/.test(key)) return 'step'
  }
  return undefined
}
