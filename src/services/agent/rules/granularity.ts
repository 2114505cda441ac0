import type { Granularity } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const words: [Granularity, string][] = [
  ['minutely', 'minutely minute'],
  ['quarter_hourly', 'quarterhourly quarterhour'],
  ['half_hourly', 'halfhourly halfhour'],
  ['hourly', 'hourly hour'],
  ['daily', 'daily day'],
  ['business_daily', 'businessdaily businessday'],
  ['weekly', 'weekly week'],
  ['monthly', 'monthly month'],
  ['quarterly', 'quarterly quarter'],
  ['yearly', 'yearly annual annually year']
]
/** A step length by the words for it. */
export const granularityByWord: Readonly<Record<string, Granularity>> = Object.fromEntries(
  words.flatMap(([granularity, forms]) => forms.split(' ').map((word) => [word, granularity]))
)
const everyMinutes: Record<string, Granularity> = {
  1: 'minutely',
  5: 'five_minutely',
  15: 'quarter_hourly',
  30: 'half_hourly',
  60: 'hourly'
}

const adjective = phrase(
  '(?<word>minutely|quarterhourly|halfhourly|hourly|daily|businessdaily|weekly|monthly|quarterly|yearly|annual|annually)'
)
const per = phrase(
  '(?:by|by the(?= \\S+ (?!of|ending|commencing|beginning|starting|\\d))|per|each|every|by each|for each|for ' +
    'every|a) (?:single )?(?<word>minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year)'
)
const minutes = phrase(
  '(?:(?:every|each|per|by|at|in) )?(?<number>5|15|30|60|1) (?:minute|minutely)(?: ' +
    '(?:interval|step|bucket|granularity|resolution|level|basis|data|reading|frequency|grain|forecast|prediction|averages?|means?|totals?|sums?|figures|candle|slot))?'
)
const level = phrase(
  '(?<word>minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year) ' +
    '(?:level|granularity|resolution|basis|grain|frequency|total|totals|average|averages|sums?|bucket|step|by ' +
    '\\k<word>|after \\k<word>)'
)
const resampled = phrase(
  '(?:aggregate|aggregated|aggregating|resample|resampled|resampling|roll|rolled|rolling|rollup|convert|converted|converting|sum|summed|average|averaged|combine|combined|group|grouped|bundle|bundled|bucket|condense|condensed|collapse|collapsed|consolidate|consolidated|collate|pool|pooled|downsample|downsampled|add|total|totalled|turn|turned|switch|switched|change|changed|go|move) ' +
    '(?:(?![.,] )\\S+ ){0,7}?(?:to|into|by|per|at)(?: the| a| full| whole| calendar)? ' +
    '(?<word>minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year)'
)
const fromTo = phrase(
  'from ' +
    '(?:minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|hourly|daily|weekly|monthly|quarterly) ' +
    '(?:(?:data|figures|value|numbers) )?(?:to|into|up to) ' +
    '(?<word>hourly|daily|weekly|monthly|quarterly|yearly|hour|day|week|month|quarter|year)'
)
/** `in weeks` is a step length, `in a week` none. */
const inUnits = phrase('(?:in|into|as) (?<word>hour|day|week|month|quarter|year)')
/** `freq=W`, as programs have it. */
const aliasWords: Record<string, string> = {
  h: 'hour',
  d: 'day',
  b: 'businessday',
  w: 'week',
  m: 'month',
  ms: 'month',
  me: 'month',
  q: 'quarter',
  qs: 'quarter',
  y: 'year',
  a: 'year'
}
const alias = phrase('(?:freq|frequency|granularity) (?:" )?(?:=|:|is) (?:" )?(?<alias>h|d|b|w|m|ms|me|q|qs|y|a)')
const businessDays = phrase(
  '(?:on|for|only|business|just)(?: (?:need|want|use|forecast|care about))? (?:the )?businessday(?: ' +
    'only)?|businessday only'
)

/** What follows the word where it speaks of a season, or of when to run. */
const otherAfter =
  /^ (?:(?:and|or|,) \S+ )?(?:season|seasonal|seasonality|seasonalities|cycle|cycles|pattern|patterns|rhythm|refresh|refreshes|update|updates|updated|retrain|retraining|run|runs|schedule|scheduled|report|reports|reporting|meeting|meetings|delivery|job|batch|email|newsletter|standup|review|peaks|dip|planning|plan|plans|budget|budgets|budgeting|target|targets|goal|goals|closing|close|order|orders cycle) /
const otherBefore =
  / (?:refresh|refreshed|update|updated|updates|retrain|retrained|rerun|run|scheduled|schedule|recompute|recalculate|repeat|automatically|repeated|send|sent|deliver|delivered|mail|report|meet|save|saved|write|written|export|exported|seasonality|season|cycle|store|stored|upload|uploaded|push|pushed|publish|published|automate|automated|needed|required) (?:(?![.,] )\S+ ){0,7}$/
/** `we close the books monthly`: a rhythm of ours. */
const ourRhythm =
  / (?:we|they|i) (?:(?:only|always|usually|normally|just|do) )?(?:close|order|reorder|bill|invoice|pay|review|restock|replenish|settle|buy|purchase|ship|clean|stocktake) (?:(?![.,] )\S+ ){0,5}$/
/** `day by day is overkill`. */
const overkill =
  /^ (?:\S+ )?(?:is|are|would be|seems?|feels?|looks?) (?:a bit |way |far |much |really |just )?(?:overkill|excessive|too (?:fine|much|detailed|granular|noisy|often|short|small)|not (?:needed|necessary|wanted|required|useful)|unnecessary|useless|no good) /
/** `hourly data` is what there is, not what is wanted. */
const dataAfter =
  /^ (?:data|dataset|readings?|measurements?|history|records?|observations?|file|csv|series|samples|inputs?) /

export const granularityRule: Rule = ({ text, mentions }) => {
  const findings: Finding[] = []
  const add = (value: Granularity, from: number, to: number, weight: number) => {
    const [after, before] = [text.keys(to, to + 4), text.keys(from - 9, from)]
    if (otherAfter.test(after) || otherBefore.test(before) || ourRhythm.test(before)) return
    // `daily active users` are the name of a column.
    if (mentions.some((mention) => mention.from <= from && mention.to >= to && mention.to - mention.from > to - from)) {
      return
    }
    if (dataAfter.test(after) || overkill.test(after)) {
      findings.push({ field: 'none', value: null, from, to, weight: 0.5 })
    } else {findings.push({
        field: 'granularity',
        value,
        from,
        to,
        weight: / (?:not|no|instead of|rather than) (?:a )?$/.test(before) ? 0 : weight
      })}
  }
  for (const { from, to, groups } of text.find(adjective)) {
    const isSaid =
      /^ (?:forecast|prediction|granularity|level|resolution|basis|frequency|step|bucket|cadence|footing|grain|value|figures|totals?|numbers) /
        .test(text.keys(to, to + 1))
    add(granularityByWord[groups['word'] as string] as Granularity, from, isSaid ? to + 1 : to, isSaid ? 1 : 0.85)
  }
  for (const { from, to, groups } of text.find(level)) {
    add(granularityByWord[groups['word'] as string] as Granularity, from, to, 1)
  }
  for (const { to, groups } of text.find(resampled)) {
    add(granularityByWord[groups['word'] as string] as Granularity, to - 2, to, 1)
  }
  for (const { from, to, groups } of text.find(fromTo)) {
    add(granularityByWord[groups['word'] as string] as Granularity, from, to, 1)
  }
  for (const { from, to, groups } of text.find(inUnits)) {
    if (/s$/i.test(text.source(to - 1, to)) && !/^(?:to|ahead|time|from|past|gone|past|ago)$/.test(text.key(to))) {
      add(granularityByWord[groups['word'] as string] as Granularity, from, to, 0.8)
    }
  }
  for (const { from, to, groups } of text.find(per)) {
    const lead = text.key(from)
    // `a day` is a length as often.
    if (lead === 'a') continue
    add(granularityByWord[groups['word'] as string] as Granularity, from, to, 0.8)
  }
  for (const { from, to, groups } of text.find(minutes)) {
    const [words, number] = [text.keys(from, to), groups['number'] as string]
    const isStep =
      / (?:every|each|per|by|at|in|interval|step|bucket|granularity|resolution|level|basis|frequency|grain|minutely|averages?|means?|totals?|sums?|figures|candle|slot) /
        .test(words)
    if (!isStep || (/ in /.test(words) && !/ (?:interval|step|bucket) /.test(words)) ||
      / (?:next|over|for|within) $/.test(text.keys(from - 1, from))) continue
    if (/^ (?:ahead|out|from) /.test(text.keys(to, to + 1))) continue
    add(everyMinutes[number] as Granularity, from, to, 0.95)
  }
  for (const { from, to, groups } of text.find(alias)) {
    findings.push({
      field: 'granularity',
      value: granularityByWord[aliasWords[groups['alias'] as string] as string] as Granularity,
      from,
      to,
      weight: 1
    })
  }
  for (const { from, to } of text.find(businessDays)) add('business_daily', from, to, 0.9)
  return findings.filter(({ weight }) => weight > 0)
}
