import type { Aggregate } from '../../../domain/preparation-spec.ts'
import { mayBeTarget, mayGroup } from '../columns/column-roles.ts'
import { natureOf } from '../columns/natures.ts'
import { notUsedLead } from '../not-used.ts'
import { singular } from '../text/fold.ts'
import { phrase } from '../text/prompt-text.ts'
import { granularityByWord } from './granularity.ts'
import type { Combining, Finding, Reading, Rule } from './rule.ts'
import { defined } from '../../../domain/defined.ts'

const words: [Aggregate, string][] = [
  ['sum', 'total|totals|sum|sums|summed|summing|overall|combined|together|altogether|in total'],
  ['mean', 'average|averages|averaged|averaging|avg|mean|means|on average'],
  ['max', 'peak|peaks|maximum|maximums|maximal|maxima|max|highest'],
  ['min', 'lowest|minimum|minimums|minimal|minima|min|trough|troughs']
]
const pattern = phrase(words.map(([how, forms]) => `(?<${how}>${forms})`).join('|'))
const anyWord = new Set(words.flatMap(([, forms]) => forms.split('|')))

const adjective =
  '(?:minutely|quarterhourly|halfhourly|hourly|daily|businessdaily|weekly|monthly|quarterly|yearly|annual|annually)'
const noun = '(?:second|minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year)'
const timeBefore = new RegExp(` ${adjective} $`)
const timeAfter = new RegExp(
  `^ (?:${adjective}|(?:per|each|every|by|of each|of every|of the|of a|within a|in each|over each|over a|for ` +
    `each|to|into) (?:single |calendar )?${noun}) `
)
/** `15 min` is a length. */
const number = /^\d/

/** What stands before a word that says something else: `I mean`, `above average`, `moving average`, `not the total`. */
const otherBefore =
  / (?:i|we|you|they|he|she|it|that|this|which|does|do|doesnt|would|could|not|no|never|instead of|rather than|than|above|below|exceed|exceeds|versus|vs|against|compared to|compared with|moving|rolling|running|weighted|exponential|smoothed|historical|long term|industry|fill|filled|replace|replaced|missing|clip|remove|ignore|ignoring|cap|capped|within|avoid|without|except|shave|reduce) (?:the |a |an |our |their |with )?$/
/** And behind it: `mean absolute error`, `peak season`, `maximum accuracy`, `combined with`, `a minimum of 5`. */
const otherAfter =
  /^ (?:absolute|squared?|percentage|scaled|error|season|seasons|seasonal|hour of|times?|period|accuracy|performance|quality|confidence|number of (?:step|period|day|week|month)|goal|picture|view|trend|effort|budget|value of \d|of \d|\d|for what|that|to say|by \d|with|temperature is|viable|order|notice) /
/** Between a word and the column that it is said of. */
const stop =
  /^(?:for|by|over|across|until|till|through|using|with|where|when|in|at|on|from|as|between|if|because|since|next|coming|following|without|excluding|except|only|then|to|than|but|or|and|driven|based|given|is|are|was|will|[.,:;()])$/
const filler =
  /^(?:of|the|our|my|their|all|a|an|per|each|every|both|number|numbers|amount|value|values|figures|level|levels|net|gross|half)$/
const maxBetween = 6
const maxUnknown = 2
const verb =
  / (?:forecast|forecasts|forecasting|predict|prediction|predicting|project|projection|projecting|estimate|outlook|need|want|show me|give me|know|expect|what is|what will|what will be|how high is|target is|target) (?:(?:for|of|the|our|a|an|me|my|their|be|all|is|=) ){0,3}(?:minutely |hourly |daily |weekly |monthly |quarterly |yearly |annual )?$/
/** `aggregate by sum`, `take the maximum`, `resampled as a mean`. */
const handling =
  / (?:aggregate|aggregated|aggregating|aggregation|resample|resampled|resampling|combine|combining|group|grouped|grouping|roll|rolled up|take|taking|use|using|rows) (?:(?![.,] )\S+ ){0,4}?(?:by|with|using|as|to|their|its|the|take|use|a|is|=|:|their) $/
const scope = /^ (?:of|over|across|for) /
const wholeWord = /^(?:all|both|every|each)$/
const article = /^(?:the|our|my|their|of|these|those)$/

/**
 * What the words of a prompt say of how rows are combined: `total load of all substations`, `daily peak`, `average
 * price by region`. Also one series, where a word is about all of something.
 */
export const combiningRule: Rule = (reading) => {
  const findings: Finding[] = []
  for (const { from, to, value, whole, granularity } of wordsOf(reading)) {
    findings.push({ field: 'combining', value, from, to, weight: 0.9 })
    if (whole !== undefined) findings.push({ field: 'grand_total', value: null, ...whole, weight: 0.95 })
    if (granularity !== undefined) {
      findings.push({ field: 'granularity', value: granularity, from: from - 1, to: from, weight: 0.8 })
    }
  }
  return findings
}

/** Fields that words of a combination are a part of as well. */
const sharing = new Set<Finding['field']>(['combining', 'granularity', 'grand_total', 'grouping', 'forecast_target'])

/**
 * The wishes for a target, as constraints of the intent: `aggregate max` over the steps, `across sum` over series,
 * `combine mean` over both; one each. `isWhole`: they are about one series of everything, though nobody says so.
 */
export function combiningWishes (reading: Reading, findings: readonly Finding[],
  target: string | null): { constraints: string[], isWhole: boolean } {
  const others = findings.filter(({ field }) => !sharing.has(field))
  const isFree = (from: number, to: number): boolean => others.every((other) => other.to <= from || other.from >= to)
  const said = wordsOf(reading).filter(({ from, to, value }) =>
    isFree(from, to) && (value.of === null || (target !== null && value.of.includes(target)))
  )
  // A rate of all of them together is no sum, unless somebody says total.
  const isRate = target !== null && natureOf(target) === 'rate'
  const meant = said.filter(({ value }) => !(value.isLoose && isRate))
  const wishes = new Map<Combining['axis'], Aggregate>()
  const notUsed: string[] = []
  // The peak of a day that is the average of something: of two words for one axis the more particular one has it.
  for (const { from, to, value: { how, axis } } of meant.toSorted((one, other) =>
    rank(one.value) - rank(other.value)
  )) {
    const place = wishes.has(axis) ? 'either' : axis
    if ([...wishes.values()].includes(how)) continue
    if (wishes.has(place)) notUsed.push(`${notUsedLead}${reading.text.source(from, to)}`)
    else wishes.set(place, how)
  }
  // A total is one of all that there are, where nobody says by what.
  const isWhole = !isRate && [wishes.get('either'), wishes.get('series')].includes('sum') &&
    (reading.data.series?.numItems ?? 1) > 1
  if (isWhole && !wishes.has('series')) {
    wishes.delete('either')
    wishes.set('series', 'sum')
  }
  const names = { steps: 'aggregate', series: 'across', either: 'combine' } as const
  const constraints = (['steps', 'series', 'either'] as const).filter((axis) => wishes.has(axis)).map((axis) =>
    `${names[axis]} ${wishes.get(axis) as Aggregate}`
  )
  return { constraints: [...constraints, ...notUsed], isWhole }
}

function rank ({ how, axis }: Combining): number {
  return (axis === 'either' ? 10 : 0) + ({ max: 0, min: 0, mean: 1, sum: 2 } as const)[how]
}

interface Word {
  from: number
  to: number
  value: Combining
  /** Where the prompt speaks of all of something, which become one series. */
  whole?: { from: number, to: number }
  /** A step length that is a part of it: `daily peaks`. */
  granularity?: typeof granularityByWord[string]
}

function wordsOf (reading: Reading): Word[] {
  const { text } = reading
  const found: Word[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const how = words.map(([name]) => name).find((name) => groups[name] !== undefined) as Aggregate
    if (isOtherwise(reading, from, to)) continue
    const [before, after] = [text.keys(from - 1, from), text.keys(to, to + 4)]
    const key = text.key(to - 1)
    const isBefore = timeBefore.test(before)
    const isTimed = isBefore || timeAfter.test(after)
    const whole = wholeAfter(reading, to)
    const of = columnsOf(reading, from, to)
    const isBound = whole !== undefined || /^(?:averaged|summed|combined) (?:over|across) /.test(`${key}${after}`)
    const handled = handling.exec(text.keys(from - 8, from))?.[0].trim().split(' ').length ?? 0
    if (of === undefined && !isBound && !isTimed && handled === 0 && !verb.test(text.keys(from - 6, from))) continue
    if (/^(?:together|altogether|combined)$/.test(key) && !isBound && of === undefined) continue
    const isLoose = /^(?:overall|combined|together|altogether)$/.test(key)
    found.push({
      ...{
        from: from - handled,
        to,
        value: { how, axis: axisOf(how, key, isBefore, isTimed, isBound, isLoose), of: of ?? null, isLoose }
      },
      ...defined({ whole }),
      ...(isBefore && key === 'peaks' && /^ of /.test(after)
        ? { granularity: granularityByWord[text.key(from - 1)] }
        : {})
    })
  }
  return found
}

function isOtherwise ({ text, mentions, values }: Reading, from: number, to: number): boolean {
  const covers = (place: { from: number, to: number }): boolean => place.from <= from && place.to >= to
  // `total_sales` and `max temp` are names.
  if (mentions.some((mention) => covers(mention)) || values.some(covers)) return true
  if (/^(?:min|max)$/.test(text.key(from)) && number.test(text.key(from - 1))) return true
  return otherBefore.test(text.keys(from - 3, from)) || otherAfter.test(text.keys(to, to + 4))
}

/** A peak is one of time; a total of a day is said of what is added up there, and of levels that are the series. */
function axisOf (how: Aggregate, key: string, isBefore: boolean, isTimed: boolean, isBound: boolean,
  isLoose: boolean): Combining['axis'] {
  if (how === 'sum') {
    return isBound || isLoose
      ? 'series'
      : (isTimed && /^(?:sum|sums|summed)$/.test(key))
      ? 'steps'
      : 'either'
  }
  if (/^(?:peaks?|troughs?)$/.test(key)) return 'steps'
  if (isBound && !isBefore) return how === 'mean' ? 'series' : isTimed ? 'steps' : 'either'
  return isTimed ? 'steps' : 'either'
}

/** The columns that a word is said of: those that follow, else the ones right before it; undefined: of none. */
function columnsOf (reading: Reading, from: number, to: number): string[] | undefined {
  const { text, mentionAt, mentionBefore } = reading
  let unknown = 0
  for (let at = to; at < to + maxBetween && unknown <= maxUnknown; at++) {
    const key = text.key(at)
    const mention = mentionAt.get(at)
    const columns = mention?.columns.filter(mayBeTarget) ?? []
    if (columns.length > 0) return columns.map(({ name }) => name)
    const goesOn = /^(?:and|or)$/.test(key) && anyWord.has(text.key(at + 1))
    if (key === '' || mention !== undefined || (stop.test(key) && !goesOn)) break
    if (!goesOn && !filler.test(key) && !anyWord.has(key) && !timeBefore.test(` ${key} `)) unknown++
  }
  for (let at = from; at > from - 4; at--) {
    const columns = mentionBefore.get(at)?.columns.filter(mayBeTarget) ?? []
    if (columns.length > 0) return columns.map(({ name }) => name)
    if (!/^(?:the|a|as|its|their|:|\(|,|=|in|of)$/.test(text.key(at - 1)) &&
      !timeBefore.test(` ${text.key(at - 1)} `)) break
  }
  return undefined
}

/** `of all substations`, `across hotels`, `over both sites`, up to the end of the clause. */
function wholeAfter ({ text, mentionAt }: Reading, to: number): { from: number, to: number } | undefined {
  for (let at = to; at < to + maxBetween + 2; at++) {
    if (/^[.,;:]?$/.test(text.key(at)) || /^(?:by|per|where|using)$/.test(text.key(at)) ||
      wholeWord.test(text.key(at))) return undefined
    if (!scope.test(text.keys(at, at + 1))) continue
    let next = at + 1
    while (next < at + 5 && (wholeWord.test(text.key(next)) || article.test(text.key(next)))) next++
    const mention = mentionAt.get(next)
    if (mention?.columns.some(mayGroup) !== true) continue
    const isEach = / (?:each|every) /.test(text.keys(at, next))
    const isAll = / (?:all|both) /.test(text.keys(at, next))
    const last = text.key(mention.to - 1)
    // `for all stores` is as well a forecast of each, and `of the store` is one of them.
    if (isEach || (text.key(at) === 'for' && !isAll) || (!isAll && singular(last) === last)) return undefined
    return { from: at, to: mention.to }
  }
  return undefined
}
