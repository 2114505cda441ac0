import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const whole = phrase('(?:for|of|over|across|in) (?:the |our )?(?:whole|entire|total) (?:company|business|group|portfolio|organi[sz]ation|network|chain|site|system|country|market)|(?:total|totals|overall) (?:for|of|over|across) (?:the |our )?(?:company|business|group|portfolio|organi[sz]ation|network|chain)|company ?wide')
const overAll = phrase('(?:total|overall|combined|aggregate|aggregated|sum|summed|altogether) (?:(?![.,] )\\S+ ){0,4}(?:over|across|for|of|from) (?:all|every)(?: (?:the|our|of the|of our))?')
const allOf = phrase('(?:all|both)(?: (?:the|our|of the|of our))?')
const together = /^ (?:together|combined|summed|in total|as one|taken together|altogether|aggregated) /

/** `total over all stores`, `for the whole company`, `all sites together`: one series of everything. */
export const grandTotalRule: Rule = ({ text, mentionAt }) => {
  const findings: Finding[] = []
  const add = (from: number, to: number) => findings.push({ field: 'grand_total', value: null, from, to, weight: 0.9 })
  for (const { from, to } of text.find(whole)) add(from, to)
  for (const { to } of text.find(overAll)) {
    const mention = mentionAt.get(to)
    if (mention?.columns.some(({ kind }) => kind === 'text') === true) add(to - 1, mention.to)
  }
  for (const { from, to } of text.find(allOf)) {
    const mention = mentionAt.get(to)
    if (mention?.columns.some(({ kind }) => kind === 'text') === true && together.test(text.keys(mention.to, mention.to + 2))) add(from, mention.to + 1)
  }
  return findings
}
