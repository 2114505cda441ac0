import type { AnomalyHandling } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const odd = 'outliers?|anomaly|anomalies|anomalous (?:\\S+ )?(?:value|point|reading|data|day)|spikes?|extreme ' +
  'value|extremes|extreme point|glitches?|abnormal ' +
  'value|(?:unusual|odd|strange|weird|suspicious|freak|extreme|abnormal|implausible|crazy|wild) ' +
  '(?:value|point|reading|observation|days?|week|month|numbers?|figures|data|ones?|row|entries|records?|jumps?|peaks?|events?)|(?:anything|something|whatever|everything|what) ' +
  '(?:(?:is|looks|that|seems) ){0,2}(?:unusual|odd|strange|weird|suspicious|abnormal|out of line|out of the ' +
  'ordinary|implausible|extreme|off)|oddities|irregularities|aberrations|freak results'
const ways: [AnomalyHandling, string][] = [
  ['none',
    '(?:leave|keep|dont remove|dont touch|dont clip|dont change|dont drop|dont exclude|dont filter|dont alter|dont ' +
    'adjust|dont smooth|retain|do nothing about|not remove|without removing|no treatment of|no handling of) ' +
    `~(?:${odd})(?: (?:alone|in|as they are|as is|untouched))?|(?:${odd}) ~(?:alone|untouched|as they are|left ` +
    'in|kept|stay|real|genuine)|no (?:outlier|anomaly) (?:handling|treatment|removal|detection)'],
  ['flag',
    '(?:flag|flagged|flagging|mark|marked|marking|highlight|highlighting|report|label|detect|tag|annotate|identify|show|point ' +
    `out|list|call out|note|warn about|alert us to|tell us about) ~(?:${odd})|(?:${odd}) ` +
    '~(?:flagged|marked|highlighted|reported|labelled|labeled|tagged)'],
  ['clip',
    '(?:clip|clipped|clipping|cap|capped|capping|winsori[sz]e|winsori[sz]ing|limit|truncate|trim|dampen|cut off|cut) ' +
    `~(?:${odd})|(?:${odd}) ~(?:clipped|capped|winsori[sz]ed|trimmed|limited|dampened)`],
  ['interpolate', '(?:interpolate|interpolating|interpolated|smooth|smooth ' +
    `out|smoothing|smoothed|replace|replacing|repair|correct|impute) ~(?:${odd})|(?:${odd}) ` +
    '~(?:interpolated|smoothed|replaced|repaired|corrected|imputed)'],
  ['remove',
    '(?:remove|removing|drop|dropping|exclude|excluding|ignore|ignoring|delete|deleting|discard|discarding|filter ' +
    'out|filtering out|filter|clean|clean up|clean out|eliminate|get rid of|take out|strip|strip out|throw ' +
    `out|without|leave out|disregard|no) ~(?:${odd})|(?:${odd}) ` +
    '~(?:removed|dropped|excluded|ignored|deleted|discarded|filtered)|(?:throw|kick|chuck|toss|take|leave|filter|strip|keep|weed) ' +
    `~(?:${odd}) (?:out|away|aside)|(?:outlier|anomaly) removal`]
]
const pattern = phrase(ways.map(([name, words]) => `(?<${name}>${words})`).join('|'))

export const anomalyRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const value = ways.find(([name]) => groups[name] !== undefined)?.[0] as AnomalyHandling
    const isDenied = / (?:dont|not|never|without) $/.test(text.keys(from - 1, from))
    findings.push({ field: 'anomaly_handling', value: isDenied ? 'none' : value, from, to, weight: 1 })
  }
  return findings
}
