import type { EvaluationMetric, Granularity } from '../../../domain/intent-values.ts'
import { countryName } from '../words/countries.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import { finding, type Finding, type Reading } from '../reading.ts'
import { granularityByWord, seasonUnits, type TimeUnit } from '../../recommendations/time/frequency.ts'
import { isCorrected } from './corrections.ts'
import { grandTotal } from './rows.ts'

/** Wishes without a field in the intent and without a number. */
export const namedConstraints: readonly string[] = [
  'non_negative',
  'integer',
  'without weekends',
  'reconciliation top_down',
  'reconciliation bottom_up',
  'reconciliation min_trace',
  'reconciliation'
]

type Phrases = readonly FoundPhrase[]
/** Turns the phrases of one wish into findings, in the order of the prompt. */
export type WishReader = (phrases: Phrases, reading: Reading) => Finding[]

const each = (read: (phrase: FoundPhrase, reading: Reading) => Finding[]): WishReader => (phrases, reading) =>
  phrases.flatMap((phrase) => read(phrase, reading))
/** Reads families whose value is the value of the field. */
const asSaid = (
  field: 'anomaly_handling' | 'missing_data_handling' | 'backtest_strategy' | 'deployment_target'
): WishReader => each(({ value, from, to, weight }) => [{ field, value, from, to, weight } as Finding])

/** Readers of wishes that follow directly, or nearly so, from their phrases. */
export const plainReaders: Record<string, WishReader> = {
  none: each((phrase) => [finding('none', null, phrase)]),
  anomaly_handling: asSaid('anomaly_handling'),
  missing_data_handling: asSaid('missing_data_handling'),
  backtest_strategy: asSaid('backtest_strategy'),
  // `average nightly spend` is the name of a column.
  deployment_target: (phrases, reading) =>
    asSaid('deployment_target')(phrases.filter((phrase) => !isOfName(phrase, reading)), reading),
  user_constraints: each((phrase) => [finding('user_constraints', constraintText(phrase.value), phrase)]),
  bound: each((phrase) => [finding('user_constraints', `${phrase.value} ${phrase.slots.at(-1)}`, phrase)]),
  metric: readMetrics,
  granularity: each(readGranularity),
  seasonality: each((phrase) => [finding('seasonality', [], phrase)]),
  seasons: each((phrase) => {
    const [first, unit] = phrase.slots
    if (typeof first === 'number') {
      return [finding('seasonality', [{ quantity: first, unit: unit as TimeUnit }], phrase)]
    }
    const units = new Set(phrase.slots.map((word) => seasonUnits[word as string]).filter((unit) => unit !== undefined))
    return [finding('seasonality', [...units].map((unit) => ({ quantity: 1, unit })), phrase)]
  }),
  intervals: each((phrase, { text }) => {
    const shares = (phrase.slots as number[]).map((value) => value > 1 ? value / 100 : value)
    // Without a percent sign, only numbers such as 0.9 are shares; `7 day interval` has none.
    const isShare = text.keys(phrase.from, phrase.to).includes(' % ') || shares.every((share) => share >= 0.5)
    return isShare && shares.every((share) => share > 0 && share < 1) ? intervals(shares, phrase) : []
  }),
  quantiles: each((phrase) => intervals(central(phrase.slots as number[]), phrase)),
  percentiles: each((phrase) =>
    intervals(central((phrase.slots as number[]).map((value) => value >= 1 ? value / 100 : value)), phrase)
  ),
  time_column: each((phrase) => [finding('time_column', columnsOf(phrase)[0]?.columns[0]?.name ?? '', phrase)]),
  series: each((phrase) => [finding('grouping', [phrase.slots[0] as string], phrase)]),
  grand_total: each(grandTotal),
  topic: each((phrase, { text }) => {
    const { value, to, slots } = phrase
    const place = /^(?:in|for|of)$/.test(text.key(to - 2)) ? ` ${text.source(to - 1, to)}` : ''
    return [finding('user_constraints', `${value} ${slots[0]}${place}`, phrase)]
  }),
  holidays: each((phrase, { text }) => {
    const lead = text.keys(phrase.from, phrase.from + 2)
    const isOut = / (?:without|ignore|ignoring|no|exclude|excluding|not|skip) /.test(lead)
    const country = countryName(phrase.slots[0] as string)
    return [finding('user_constraints', `${isOut ? 'without' : 'use'} holidays ${country}`, phrase)]
  })
}

function columnsOf (phrase: FoundPhrase): Array<{ columns: { name: string }[] }> {
  return phrase.slots.at(-1) as Array<{ columns: { name: string }[] }>
}

function constraintText (value: string): string {
  const [first = '', ...rest] = value.split('_')
  return first === 'non' ? value : [first, rest.join('_')].filter((part) => part !== '').join(' ')
}

/** Reads metrics, without withdrawn ones: `MAPE, sorry, WAPE`, `we've stopped using MAPE`. */
function readMetrics (phrases: Phrases, reading: Reading): Finding[] {
  const isOut = ({ from, to }: FoundPhrase): boolean =>
    reading.endsBefore('takingback', from) || reading.begins('isover', to)
  const out = new Set(phrases.filter(isOut).map(({ value }) => value))
  return phrases.flatMap((phrase, index): Finding[] => {
    const { value, to } = phrase
    if (isOut(phrase)) return [finding('none', null, { ...phrase, weight: 0.8 })]
    const next = phrases.slice(index + 1).find((other) => other.from >= to && !isOut(other))
    const isOther = next !== undefined && next.value !== value && isCorrected(reading, to, next.from)
    return out.has(value) || isOther ? [] : [finding('evaluation_metric', value as EvaluationMetric, phrase)]
  })
}

function readGranularity (phrase: FoundPhrase, reading: Reading): Finding[] {
  const { value: said, slots } = phrase
  const value = said === '' ? granularityByWord[slots.at(-1) as string] : said as Granularity
  // `daily active users` are the name of a column.
  return value === undefined || isOfName(phrase, reading) ? [] : [finding('granularity', value, phrase)]
}

/** Whether a longer name of a column has these words. */
function isOfName ({ from, to }: FoundPhrase, { mentions }: Reading): boolean {
  return mentions.some((mention) => mention.from <= from && mention.to >= to && mention.to - mention.from > to - from)
}

function intervals (shares: readonly number[], phrase: FoundPhrase): Finding[] {
  const tidy = [...new Set(shares.map((share) => Math.round(share * 1e4) / 1e4))]
  const value = tidy.filter((share) => share > 0 && share < 1).sort((left, right) => left - right)
  return value.length === 0 ? [] : [finding('confidence_intervals', value, phrase)]
}

/**
 * The intervals between pairs of quantiles. A single quantile is paired with the one on the other side of the median.
 */
function central (levels: readonly number[]): number[] {
  return levels.map((level) => Math.abs(1 - 2 * level))
}
