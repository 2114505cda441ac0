import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const whole = phrase(
  '(?:for|of|over|across|in) (?:the |our )?(?:whole|entire|total) ' +
    '(?:company|business|group|portfolio|organi[sz]ation|network|chain|site|system|country|market)|(?:total|totals|overall) ' +
    '(?:for|of|over|across) (?:the |our ' +
    ')?(?:company|business|group|portfolio|organi[sz]ation|network|chain)|(?:company|group|network|chain|system|business|organi[sz]ation|fleet|enterprise|portfolio|nation|country|estate) ' +
    '?wide'
)
const overAll = phrase(
  '(?:total|overall|combined|aggregate|aggregated|sum|summed|altogether) (?:(?![.,] )\\S+ ' +
    '){0,4}(?:over|across|for|of|from) (?:all|every)(?: (?:the|our|of the|of our))?'
)
const summedOver = phrase(
  '(?:total|totalled|totals|sum|summed|added up|aggregate|aggregated|combined|rolled up|pooled|altogether) ' +
    '(?:(?![.,] )\\S+ ){0,2}(?:over|across)(?: (?:the|our|my))?'
)
const allOf = phrase('(?:all|both)(?: (?:the|our|of the|of our))?')
const together =
  /^ (?:(?:lumped|taken|added|put|rolled|thrown|bundled|pooled|merged|grouped) (?:together|up|into one)|together|combined|summed|in total|as one|taken together|altogether|aggregated) /

/** `total over all stores`, `for the whole company`, `all sites together`: one series of everything. */
export const grandTotalRule: Rule = ({ text, mentionAt }) => {
  const findings: Finding[] = []
  const add = (from: number, to: number) => findings.push({ field: 'grand_total', value: null, from, to, weight: 0.9 })
  for (const { from, to } of text.find(whole)) add(from, to)
  for (const { to } of text.find(overAll)) {
    const mention = mentionAt.get(to)
    if (mention?.columns.some(({ kind }) => kind === 'text') !== true) continue
    let from = to - 1
    while (!/^(?:over|across|for|of|from)$/.test(text.key(from)) && from > to - 5) from--
    add(from, mention.to)
  }
  for (const { to } of text.find(summedOver)) {
    const mention = mentionAt.get(to)
    // Of one alone there is no sum.
    if (mention?.columns.some(({ kind }) => kind === 'text') === true && /s$/i.test(text.source(to, mention.to))) {
      add(/^(?:over|across)$/.test(text.key(to - 1)) ? to - 1 : to - 2, mention.to)
    }
  }
  for (const { from, to } of text.find(allOf)) {
    const mention = mentionAt.get(to)
    if (mention?.columns.some(({ kind }) => kind === 'text') === true &&
      together.test(text.keys(mention.to, mention.to + 4))) add(from, mention.to + 1)
  }
  return findings
}
