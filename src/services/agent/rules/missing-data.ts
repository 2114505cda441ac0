import type { MissingDataHandling } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const gaps = 'missing(?: ' +
  '(?:data|value|values|reading|day|days|date|dates|entry|entries|point|observation|step|row|record|records|week|month|hour|timestamps?))?|gaps?|nulls?|nans?|nas|blanks?|holes?|(?:empty|blank|incomplete|absent) ' +
  '(?:cells?|value|row|records?|day|days|week|month|hour|reading|entry|entries|step|period)|missings|(?:value|reading|day|days|week|month|hour|row|record|observation) ' +
  '(?:that|which|that are|that is|are|is) (?:missing|empty|blank|absent)'
const zero = '0|zero|zeros|zeroes|nothing|nil|none|no sales|no demand'
const fill =
  'fill|filled|filling|plug|plugged|plugging|patch|patched|patching|close|bridge|count|counts|impute|imputed|imputing|replace|replaced|replacing|treat|treated|treating|substitute|set|assume|are|is|handle|handled|handling|regard|consider|means|mean'
const ways: [MissingDataHandling, string][] = [
  ['ffill', 'forward fill(?:ed|ing)?|ffill|fill(?:ed|ing)? ~forward|fill forward|forwardfill|carry ' +
    '~(?:value|observation|one|reading|number)? ?forward|carried forward|carry forward|carry ' +
    '~(?:over|on|along)|(?:repeat|hold|keep|copy|stretch|propagate|reuse|use) (?:the ' +
    ')?(?:last|previous|prior|preceding|most recent|latest)(?: (?:good|known|valid|observed))? ' +
    '(?:value|observation|reading|one|number|figure)|(?:last|previous) (?:known |observed |valid ' +
    ')?(?:value|observation|reading)|locf|pad forward'],
  ['bfill', 'back fill(?:ed|ing)?|backfill(?:ed|ing)?|bfill|fill(?:ed|ing)? ~backwards?|backward fill|next (?:known ' +
    `|observed |valid |good )(?:value|observation|reading)|(?:${gaps}) ~(?:from|with|by|using) (?:the ` +
    ')?(?:next|following|subsequent) (?:value|observation|reading|one)'],
  ['interpolate', `(?:linearly )?(?:interpolate|interpolated|interpolating) ~(?:${gaps})|(?:${gaps}) ` +
    '~(?:interpolate|interpolated|interpolation)|linear ' +
    'interpolation|interpolation|interpolate|(?:straight|linear) line|(?:bridge|bridging) ' +
    `~(?:${gaps})|(?:join|connect) the (?:dots|point|ends)|linearly`],
  ['zero', `(?:${fill}) ~(?:${gaps})? ?~(?:${zero})|(?:${gaps}) ~(?:${zero})|zero fill(?:ed|ing)?|zerofill|fill ` +
    `~(?:${zero})|(?:put|write|insert|enter|plug in) (?:a |an |in )?(?:0|zero|zeros)(?: (?:there|instead|in))?`],
  ['mean',
    `(?:${fill}) ~(?:${gaps}) ~(?:mean|average)|(?:mean|average) (?:imputation|impute|fill)|(?:${gaps}) ~(?:by|with) ` +
    '(?:the )?(?:mean|average|median|(?:column|series|overall|weekly|monthly|daily) ' +
    `(?:mean|average))|(?:mean|average) ~(?:for|in|into|over|where) ~(?:${gaps})|(?:fill|impute|replace) ` +
    '~(?:with|by) (?:the )?(?:mean|average)'],
  ['drop',
    '(?:drop|dropping|dropped|remove|removing|delete|deleting|skip|skipping|discard|discarding|exclude|excluding|ignore|ignoring|omit|omitting|throw ' +
    `away|throw out|throwing out|toss|get rid of|leave out|leaving out) ~(?:${gaps})|(?:${gaps}) ` +
    '~(?:dropped|removed|deleted|skipped|discarded|excluded|ignored|omitted)'],
  ['none',
    '(?:leave|keep|dont fill|dont impute|dont touch|do nothing about|leaving|no imputation of|without filling) ' +
    `~(?:${gaps})(?: (?:as (?:they are|is|it is)|alone|untouched|empty))?|(?:${gaps}) ~(?:alone|as they are|as it ` +
    'is|untouched|unfilled|open|unchanged)|no imputation|without imputation|(?:no|without|never) ' +
    `(?:filling|imputing|interpolation|interpolating|padding|imputation)(?: (?:of|in|the))? ~(?:${gaps})`]
]
const pattern = phrase(ways.map(([name, words]) => `(?<${name}>${words})`).join('|'))
const order: MissingDataHandling[] = ['none', 'zero', 'mean', 'bfill', 'ffill', 'interpolate', 'drop']
const denied = / (?:dont|not|never|shouldnt|no need to) (?:just |simply |please )?$/
const outlier = / (?:outliers?|anomaly|anomalies|spikes?|peaks) /

export const missingDataRule: Rule = ({ text, mentionAt }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const value = order.find((name) => groups[name] !== undefined) as MissingDataHandling
    // `interpolate outliers` is said of those.
    const isOfOutliers = value === 'interpolate' && to - from === 1 && outlier.test(text.keys(from - 3, to + 3))
    if (isOfOutliers) continue
    // `carry the crude steel output forward` wants a forecast of it.
    if (text.key(from) === 'carry' && !/ last /.test(text.keys(from, to)) &&
      Array.from({ length: to - from }, (_, offset) => from + offset).some((at) => mentionAt.has(at))) continue
    // `dont fill gaps with zero`, `dont drop missing days`: one way less, and not what to do.
    const isDenied = value === 'none'
      ? text.key(from) === 'dont' && /^(?:with|by|using)$/.test(text.key(to))
      : denied.test(text.keys(from - 3, from))
    findings.push(
      isDenied
        ? { field: 'none', value: null, from, to, weight: 0.8 }
        : { field: 'missing_data_handling', value, from, to, weight: 1 }
    )
  }
  return findings
}
