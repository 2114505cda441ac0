import type { MissingDataHandling } from '../../queue/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const gaps = 'missing(?: (?:data|value|values|reading|day|days|date|dates|entry|entries|point|observation|step|row|record|records|week|month|hour|timestamps?))?|gaps?|nulls?|nans?|nas|blanks?|holes?|empty (?:cells?|value|row)|missings'
const zero = '0|zero|zeros|zeroes'
const fill = 'fill|filled|filling|impute|imputed|imputing|replace|replaced|replacing|treat|treated|treating|count|substitute|set|assume|are|is|handle|handled|handling|regard|consider|means|mean'
const ways: [MissingDataHandling, string][] = [
  ['ffill', 'forward fill(?:ed|ing)?|ffill|fill(?:ed|ing)? ~forward|fill forward|forwardfill|carry ~(?:value|observation|one|reading|number)? ?forward|carried forward|carry forward|(?:last|previous) (?:known |observed |valid )?(?:value|observation|reading)|locf|pad forward'],
  ['bfill', 'back fill(?:ed|ing)?|backfill(?:ed|ing)?|bfill|fill(?:ed|ing)? ~backwards?|backward fill|next (?:known |observed |valid )(?:value|observation|reading)'],
  ['interpolate', `(?:linearly )?(?:interpolate|interpolated|interpolating) ~(?:${gaps})|(?:${gaps}) ~(?:interpolate|interpolated|interpolation)|linear interpolation|interpolation|interpolate`],
  ['zero', `(?:${fill}) ~(?:${gaps})? ?~(?:${zero})|(?:${gaps}) ~(?:${zero})|zero fill(?:ed|ing)?|zerofill|fill ~(?:${zero})`],
  ['mean', `(?:${fill}) ~(?:${gaps}) ~(?:mean|average)|(?:mean|average) (?:imputation|impute|fill)|(?:${gaps}) ~(?:by|with) (?:the )?(?:mean|average)|(?:fill|impute|replace) ~(?:with|by) (?:the )?(?:mean|average)`],
  ['drop', `(?:drop|dropping|dropped|remove|removing|delete|deleting|skip|skipping|discard|exclude|excluding|ignore|ignoring|omit|throw away|throw out|leave out|leaving out) ~(?:${gaps})|(?:${gaps}) ~(?:dropped|removed|deleted|skipped|discarded|excluded|ignored|omitted)`],
  ['none', `(?:leave|keep|dont fill|dont impute|dont touch|do nothing about|leaving|no imputation of|without filling) ~(?:${gaps})(?: (?:as (?:they are|is|it is)|alone|untouched|empty))?|no imputation|without imputation`]
]
const pattern = phrase(ways.map(([name, words]) => `(?<${name}>${words})`).join('|'))
const order: MissingDataHandling[] = ['none', 'zero', 'mean', 'bfill', 'ffill', 'interpolate', 'drop']
const outlier = / (?:outliers?|anomaly|anomalies|spikes?|peaks) /

export const missingDataRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const value = order.find((name) => groups[name] !== undefined) as MissingDataHandling
    // `interpolate outliers` is said of those.
    const isOfOutliers = value === 'interpolate' && to - from === 1 && outlier.test(text.keys(from - 3, to + 3))
    if (!isOfOutliers) findings.push({ field: 'missing_data_handling', value, from, to, weight: 1 })
  }
  return findings
}
