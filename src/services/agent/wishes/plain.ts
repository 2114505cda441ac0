import type {
  AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, Granularity,
  MissingDataHandling
} from '../../../domain/intent-values.ts'
import { countryName } from '../countries.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { granularityByWord } from '../time/frequency.ts'
import { seasonUnits, type TimeUnit } from '../time/horizon-wish.ts'
import { isCorrected } from './corrections.ts'
import { grandTotal } from './rows.ts'

/** Wishes that no field of an intent is for, without those that have a number. */
export const namedConstraints: readonly string[] = [
  'non_negative', 'integer', 'without weekends', 'reconciliation top_down', 'reconciliation bottom_up',
  'reconciliation min_trace', 'reconciliation'
]

type Phrases = readonly FoundPhrase[]
/** What the phrases of a wish say, those of it in the order of the prompt. */
export type WishReader = (phrases: Phrases, reading: Reading) => Finding[]

const place = ({ from, to, weight }: FoundPhrase): {
  from: number,
  to: number,
  weight: number
} => ({ from, to, weight })
const each = (read: (phrase: FoundPhrase, reading: Reading) => Finding[]): WishReader =>
  (phrases, reading) => phrases.flatMap((phrase) => read(phrase, reading))

/** Wishes that are as their phrases say, or nearly. */
export const plainReaders: Record<string, WishReader> = {
  none: each((phrase) => [{ field: 'none', value: null, ...place(phrase) }]),
  anomaly_handling: each((phrase) =>
    [{ field: 'anomaly_handling', value: phrase.value as AnomalyHandling, ...place(phrase) }]),
  missing_data_handling: each((phrase) =>
    [{ field: 'missing_data_handling', value: phrase.value as MissingDataHandling, ...place(phrase) }]),
  backtest_strategy: each((phrase) =>
    [{ field: 'backtest_strategy', value: phrase.value as BacktestStrategy, ...place(phrase) }]),
  deployment_target: each((phrase) =>
    [{ field: 'deployment_target', value: phrase.value as DeploymentTarget, ...place(phrase) }]),
  user_constraints: each((phrase) =>
    [{ field: 'user_constraints', value: constraintText(phrase.value), ...place(phrase) }]),
  bound: each((phrase) =>
    [{ field: 'user_constraints', value: `${phrase.value} ${phrase.slots.at(-1)}`, ...place(phrase) }]),
  metric: readMetrics,
  granularity: each(readGranularity),
  seasonality: each((phrase) => [{ field: 'seasonality', value: [], ...place(phrase) }]),
  seasons: each((phrase) => {
    const [first, unit] = phrase.slots
    const value = typeof first === 'number'
      ? [{ quantity: first, unit: unit as TimeUnit }]
      : [...new Set(phrase.slots.map((word) => seasonUnits[word as string]))]
          .filter((unit) => unit !== undefined).map((unit) => ({ quantity: 1, unit }))
    return [{ field: 'seasonality', value, ...place(phrase) }]
  }),
  intervals: each((phrase, { text }) => {
    const numbers = phrase.slots as number[]
    const shares = numbers.map((value) => value > 1 ? value / 100 : value)
    // `7 day interval` has no percent sign and is none; 0.9 needs none.
    const isShare = text.keys(phrase.from, phrase.to).includes(' % ') || shares.every((share) => share >= 0.5)
    return isShare && shares.every((share) => share > 0 && share < 1) ? intervals(shares, phrase) : []
  }),
  quantiles: each((phrase) => intervals(central(phrase.slots as number[]), phrase)),
  percentiles: each((phrase) =>
    intervals(central((phrase.slots as number[]).map((value) => value >= 1 ? value / 100 : value)), phrase)),
  time_column: each((phrase) =>
    [{ field: 'time_column', value: columnsOf(phrase)[0]?.columns[0]?.name ?? '', ...place(phrase) }]),
  series: each((phrase) => [{ field: 'grouping', value: [phrase.slots[0] as string], ...place(phrase) }]),
  grand_total: each(grandTotal),
  topic: each((phrase, { text }) => {
    const { to, slots } = phrase
    const hasPlace = /^(?:in|for|of)$/.test(text.key(to - 2))
    return [{
      field: 'user_constraints',
      value: `${phrase.value} ${slots[0]}${hasPlace ? ` ${text.source(to - 1, to)}` : ''}`,
      ...place(phrase)
    }]
  }),
  holidays: each((phrase, { text }) => {
    const isOut = / (?:without|ignore|ignoring|no|exclude|excluding|not|skip) /.test(text.keys(phrase.from,
      phrase.from + 2))
    return [{
      field: 'user_constraints',
      value: `${isOut ? 'without' : 'use'} holidays ${countryName(phrase.slots[0] as string)}`,
      ...place(phrase)
    }]
  })
}

function columnsOf (phrase: FoundPhrase): Array<{ columns: { name: string }[] }> {
  return phrase.slots.at(-1) as Array<{ columns: { name: string }[] }>
}

function constraintText (value: string): string {
  const [first = '', ...rest] = value.split('_')
  return first === 'non' ? value : [first, rest.join('_')].filter((part) => part !== '').join(' ')
}

/** `MAPE, sorry, WAPE`, `we've stopped using MAPE`: what is taken back counts nowhere. */
function readMetrics (phrases: Phrases, reading: Reading): Finding[] {
  const isOut = ({ from, to }: FoundPhrase): boolean => reading.endsBefore('takingback', from) ||
    reading.begins('isover', to)
  const out = new Set(phrases.filter(isOut).map(({ value }) => value))
  return phrases.flatMap((phrase, index): Finding[] => {
    const next = phrases.slice(index + 1).find((other) => other.from >= phrase.to && !isOut(other))
    if (isOut(phrase)) return [{ field: 'none', value: null, ...place(phrase), weight: 0.8 }]
    if (out.has(phrase.value) ||
      (next !== undefined && next.value !== phrase.value && isCorrected(reading, phrase.to, next.from))) return []
    return [{ field: 'evaluation_metric', value: phrase.value as EvaluationMetric, ...place(phrase) }]
  })
}

function readGranularity (phrase: FoundPhrase, { mentions }: Reading): Finding[] {
  const { from, to } = phrase
  const value = phrase.value === '' ? granularityByWord[phrase.slots.at(-1) as string] : phrase.value as Granularity
  // `daily active users` are the name of a column.
  const isName = mentions.some((mention) => mention.from <= from && mention.to >= to &&
    mention.to - mention.from > to - from)
  return value === undefined || isName ? [] : [{ field: 'granularity', value, ...place(phrase) }]
}

function intervals (shares: readonly number[], phrase: FoundPhrase): Finding[] {
  const value = [...new Set(shares.map((share) => Math.round(share * 1e4) / 1e4))]
    .filter((share) => share > 0 && share < 1).sort((left, right) => left - right)
  return value.length === 0 ? [] : [{ field: 'confidence_intervals', value, ...place(phrase) }]
}

/** The intervals between pairs of quantiles; of one alone that on the other side of the median belongs to it. */
function central (levels: readonly number[]): number[] {
  return levels.map((level) => Math.abs(1 - 2 * level))
}
