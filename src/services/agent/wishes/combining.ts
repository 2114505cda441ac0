import type { Aggregate } from '../../../domain/preparation-spec.ts'
import { mayBeTarget, mayGroup } from '../columns/column-roles.ts'
import { natureOf } from '../../recommendations/natures.ts'
import { notUsedLead } from '../not-used.ts'
import type { Combining, Finding, Place, Reading } from '../reading.ts'
import { singular } from '../../../platform/text/fold.ts'
import { granularityByWord } from '../../recommendations/time/frequency.ts'
import { defined } from '../../../platform/defined.ts'

const words: [Aggregate, string][] = [
  ['sum', 'total totals sum sums summed summing overall combined together altogether'],
  ['mean', 'average averages averaged averaging avg mean means'],
  ['max', 'peak peaks maximum maximums maximal maxima max highest'],
  ['min', 'lowest minimum minimums minimal minima min trough troughs']
]
const howByWord = new Map(words.flatMap(([how, forms]) => forms.split(' ').map((form) => [form, how] as const)))
const maxBetween = 6
const maxUnknown = 2

/**
 * Reads how to combine rows: `total load of all substations`, `daily peak`, `average price by region`. A word about all
 * of something also asks for one series.
 */
export function combiningFindings (reading: Reading): Finding[] {
  return combiningWords(reading).flatMap(({ from, to, value, whole, granularity }): Finding[] => [
    { field: 'combining', value, from, to, weight: 0.9 },
    ...whole === undefined ? [] : [{ field: 'grand_total' as const, value: null, ...whole, weight: 0.95 }],
    ...granularity === undefined
      ? []
      : [{ field: 'granularity' as const, value: granularity, from: from - 1, to: from, weight: 0.8 }]
  ])
}

/** Fields that may share their words with a combination. */
const sharing = new Set<Finding['field']>(['combining', 'granularity', 'grand_total', 'grouping', 'forecast_target'])

/**
 * The combinations for a target, as constraints, one of each: `aggregate max` over steps, `across sum` over series,
 * `combine mean` over both. `isWhole`: they ask for one series of everything, although nobody says so.
 */
export function combiningWishes (reading: Reading, findings: readonly Finding[],
  target: string | null): { constraints: string[], isWhole: boolean } {
  const others = findings.filter(({ field }) => !sharing.has(field))
  const isFree = ({ from, to }: Place): boolean => others.every((other) => other.to <= from || other.from >= to)
  const said = combiningWords(reading)
    .filter((word) => isFree(word) && (word.value.of === null || (target !== null && word.value.of.includes(target))))
  // A rate of all of them together is not added up, unless the prompt says total.
  const isRate = target !== null && natureOf(target) === 'rate'
  const wishes = new Map<Combining['axis'], Aggregate>()
  const notUsed: string[] = []
  // Two words may be about one axis, such as a daily peak of an average. The more specific one counts.
  const meant = said.filter(({ value }) => !(value.isLoose && isRate))
    .toSorted((one, other) => rank(one.value) - rank(other.value))
  for (const { from, to, value: { how, axis } } of meant) {
    const place = wishes.has(axis) ? 'either' : axis
    if ([...wishes.values()].includes(how)) continue
    if (wishes.has(place)) notUsed.push(`${notUsedLead}${reading.text.source(from, to)}`)
    else wishes.set(place, how)
  }
  // Without a grouping, a total is over all series.
  const isWhole = !isRate && [wishes.get('either'), wishes.get('series')].includes('sum') &&
    (reading.data.series?.numItems ?? 1) > 1
  if (isWhole && !wishes.has('series')) {
    wishes.delete('either')
    wishes.set('series', 'sum')
  }
  const names = { steps: 'aggregate', series: 'across', either: 'combine' } as const
  const constraints = (['steps', 'series', 'either'] as const).filter((axis) => wishes.has(axis))
    .map((axis) => `${names[axis]} ${wishes.get(axis) as Aggregate}`)
  return { constraints: [...constraints, ...notUsed], isWhole }
}

function rank ({ how, axis }: Combining): number {
  return (axis === 'either' ? 10 : 0) + ({ max: 0, min: 0, mean: 1, sum: 2 } as const)[how]
}

interface Word extends Place {
  value: Combining
  /** The words about all of something, which then becomes one series. */
  whole?: Place
  /** A step length within the words: `daily peaks`. */
  granularity?: typeof granularityByWord[string]
}

function combiningWords (reading: Reading): Word[] {
  const { text } = reading
  const found: Word[] = []
  for (let from = 0; from < reading.size; from++) {
    const key = text.key(from)
    const how = howByWord.get(key)
    if (how === undefined || isOtherwise(reading, from)) continue
    const to = from + 1
    const isBefore = isAdjective(text.key(from - 1))
    const isTimed = isBefore || reading.begins('timebehind', to)
    const whole = wholeAfter(reading, to)
    const of = columnsOf(reading, from, to)
    const isBound = whole !== undefined ||
      (/^(?:averaged|summed|combined)$/.test(key) && /^(?:over|across)$/.test(text.key(to)))
    const handled = handledFrom(reading, from)
    if (of === undefined && !isBound && !isTimed && handled === from && !reading.endsBefore('askedfor', from)) continue
    if (/^(?:together|altogether|combined)$/.test(key) && !isBound && of === undefined) continue
    const isLoose = /^(?:overall|combined|together|altogether)$/.test(key)
    const axis = axisOf(how, key, isBefore, isTimed, isBound, isLoose)
    const granularity = isBefore && key === 'peaks' && text.key(to) === 'of'
      ? granularityByWord[text.key(from - 1)]
      : undefined
    found.push({
      from: handled,
      to,
      value: { how, axis, of: of ?? null, isLoose },
      ...defined({ whole, granularity })
    })
  }
  return found
}

/** Finds where an introduction such as `aggregate by` or `take the` before the word begins. */
function handledFrom (reading: Reading, from: number): number {
  for (let at = Math.max(0, from - 8); at < from; at++) if (reading.behind('handling', at) === from) return at
  return from
}

function isAdjective (key: string): boolean {
  return /ly$|^annual$/.test(key) && granularityByWord[key] !== undefined
}

/**
 * Whether the word has another meaning: `total_sales` and `max temp` are names, `15 min` is a length, `mean absolute
 * error` and `above average` are expressions.
 */
function isOtherwise (reading: Reading, from: number): boolean {
  const covers = (place: Place): boolean => place.from <= from && place.to > from
  if (reading.mentions.some(covers) || reading.values.some(covers)) return true
  if (/^(?:min|max)$/.test(reading.key(from)) && /^\d/.test(reading.key(from - 1))) return true
  const before = /^(?:the|a|an|our|their|with)$/.test(reading.key(from - 1)) ? from - 1 : from
  return reading.endsBefore('noncombining', before) || reading.endsBefore('noncombining', from) ||
    reading.begins('otherthan', from + 1)
}

/**
 * Chooses the axis of a word. A peak is over time. A total often leaves the axis open, because a daily total of amounts
 * is over the day, and that of levels is over series.
 */
function axisOf (how: Aggregate, key: string, isBefore: boolean, isTimed: boolean, isBound: boolean,
  isLoose: boolean): Combining['axis'] {
  if (how === 'sum') {
    return isBound ||
        isLoose
      ? 'series'
      : (isTimed && /^(?:sum|sums|summed)$/.test(key))
      ? 'steps'
      : 'either'
  }
  if (/^(?:peaks?|troughs?)$/.test(key)) return 'steps'
  if (isBound && !isBefore) return how === 'mean' ? 'series' : isTimed ? 'steps' : 'either'
  return isTimed ? 'steps' : 'either'
}

/** The columns that the word is about: those after it, else those directly before it; undefined: none. */
function columnsOf (reading: Reading, from: number, to: number): string[] | undefined {
  const { text, mentionAt, mentionBefore } = reading
  let unknown = 0
  for (let at = to; at < to + maxBetween && unknown <= maxUnknown; at++) {
    const key = text.key(at)
    const mention = mentionAt.get(at)
    const columns = mention?.columns.filter(mayBeTarget) ?? []
    if (columns.length > 0) return columns.map(({ name }) => name)
    const goesOn = /^(?:and|or)$/.test(key) && howByWord.has(text.key(at + 1))
    if (key === '' || mention !== undefined || (reading.begins('combiningend', at) && !goesOn)) break
    if (!goesOn && !reading.begins('ofwhat', at) && !howByWord.has(key) && !isAdjective(key)) unknown++
  }
  for (let at = from; at > from - 4; at--) {
    const columns = mentionBefore.get(at)?.columns.filter(mayBeTarget) ?? []
    if (columns.length > 0) return columns.map(({ name }) => name)
    if (!/^(?:the|a|as|its|their|:|\(|,|=|in|of)$/.test(text.key(at - 1)) && !isAdjective(text.key(at - 1))) break
  }
  return undefined
}

/**
 * Finds words about all series after the word, up to the end of the clause: `of all substations`, `across hotels`,
 * `over both sites`.
 */
function wholeAfter ({ text, mentionAt }: Reading, to: number): Place | undefined {
  for (let at = to; at < to + maxBetween + 2; at++) {
    if (/^(?:[.,;:]|by|per|where|using|all|both|every|each)?$/.test(text.key(at))) return undefined
    if (!/^(?:of|over|across|for)$/.test(text.key(at))) continue
    let next = at + 1
    while (next < at + 5 && /^(?:all|both|every|each|the|our|my|their|of|these|those)$/.test(text.key(next))) next++
    const mention = mentionAt.get(next)
    if (mention?.columns.some(mayGroup) !== true) continue
    const lead = text.keys(at, next)
    const isAll = / (?:all|both) /.test(lead)
    const last = text.key(mention.to - 1)
    // `for all stores` may also mean a forecast of each store, and `of the store` means one of them.
    if (/ (?:each|every) /.test(lead) || (text.key(at) === 'for' && !isAll) ||
      (!isAll && singular(last) === last)) return undefined
    return { from: at, to: mention.to }
  }
  return undefined
}
