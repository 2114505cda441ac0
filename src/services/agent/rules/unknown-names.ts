import { commonWords, functionWords, grammarWords } from '../text/vocabulary.ts'
import type { Finding, Rule } from './rule.ts'

const lead =
  / (?:only|just|in|for|at|region|store|shop|site|city|country|customer|product|category|except|excluding|without) (?:(?:the|our|only|just) )?$/
const calendar =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|easter|thanksgiving|excel|euros?|dollars?|pounds?|english|german|french|spanish|python|tableau|slack|management|managers?|manager|team|department|director|planning|operations|office|desk|analyst|analytics|finance|marketing|q\d|h\d|fy\d*)$/
/** What has codes for names: `for Q4` and `in H2` are times. */
const ofThings =
  / (?:region|store|shop|site|city|country|customer|product|category|item|sku|plant|branch|warehouse|stores?|shops?|sites?) (?:but |except |no |number )?$/
const maxNames = 3

/**
 * `only Manchester`, `in London`: written as a name, and no value, column or time that is known. Asked, because a
 * forecast of everything is another one.
 */
export const unknownNameRule: Rule = ({ data, text, mentionAt, valueAt }) => {
  if (!data.columns.some(({ kind, distinct }) => kind === 'text' && distinct > 1)) return []
  const findings: Finding[] = []
  text.tokens.forEach(({ kind, key }, at) => {
    if (kind !== 'word' || findings.length >= maxNames || mentionAt.has(at) || valueAt.has(at) || calendar.test(key)) {
      return
    }
    const source = text.source(at, at + 1)
    const isCode = /^\p{Lu}{1,4}\d{1,6}$/u.test(source) && ofThings.test(text.keys(at - 3, at))
    if (!(isCode || /^\p{Lu}[\p{Ll}\p{M}]{2,}/u.test(source)) || grammarWords.has(key) || functionWords.has(key) ||
      commonWords.has(key)) return
    if (isCode || lead.test(text.keys(at - 3, at))) {
      findings.push({ field: 'unknown_rows', value: text.source(at - 1, at + 1), from: at, to: at + 1, weight: 0.3 })
    }
  })
  return findings
}
