import type { DataProfile } from '../../../domain/data-profile.ts'
import type { Granularity, HorizonUnit } from '../../../domain/intent-values.ts'
import { ask, maxSuggestions, suggestHorizons } from '../questions.ts'
import { isLengthCorrected } from '../wishes/corrections.ts'
import { explicit, type Finding, type Reading } from '../reading.ts'
import { fold, nameParts } from '../../../platform/text/fold.ts'
import { countSteps } from '../../recommendations/time/count-steps.ts'
import { type HorizonWish, readFrequency, type TimeUnit } from '../../recommendations/time/frequency.ts'
import { words as lists } from '../words/word-lists.ts'
import type { Choice } from './choice.ts'

export interface Horizon {
  steps: number | null
  quantity: number | null
  unit: HorizonUnit | null
}

const vagueQuestion = 'The prompt does not say exactly how far. How far shall the forecast reach?'
/** The question if the prompt does not mention a horizon. */
export const openHorizonQuestion = 'How far shall the forecast reach?'

const none: Horizon = { steps: null, quantity: null, unit: null }
const shownUnits: Record<TimeUnit, [HorizonUnit, number]> = {
  second: ['minutes', 1 / 60],
  minute: ['minutes', 1],
  quarterhour: ['minutes', 15],
  halfhour: ['minutes', 30],
  hour: ['hours', 1],
  day: ['days', 1],
  businessday: ['days', 1],
  week: ['weeks', 1],
  month: ['months', 1],
  quarter: ['quarters', 1],
  year: ['years', 1]
}
const stepUnits: Partial<Record<Granularity, TimeUnit>> = {
  quarter_hourly: 'quarterhour',
  half_hourly: 'halfhour'
}

/**
 * Chooses how far to forecast, from the prompt alone. A question asks for it if the prompt names no horizon, two
 * different ones, or a time that the data already have.
 */
export function chooseHorizon (reading: Reading, findings: readonly Finding[], granularity: Granularity | null,
  alias: string | null): Choice<Horizon> {
  const { data, end, text } = reading
  const wishes = findings.filter((finding) => finding.field === 'horizon')
  const said = wishes.filter(({ weight }) => weight >= explicit)
  // `5 days or 10 days` are two horizons, although only the first is marked as one.
  const chosen = said.length > 0
    ? wishes.filter((wish) =>
      wish.weight >= explicit || / (?:or|also) /.test(text.keys(wish.from - 3, wish.from)) ||
      isLengthCorrected(reading, wish.from - 4, wish.from)
    )
    : wishes
  const isSure = ({ weight }: Wish): boolean => weight === 1
  const ahead = chosen.filter((wish) => isSure(wish) || !isTold(reading, wish))
  // `Which day of February had the highest demand?` looks back.
  const wanted = ahead.length > 0 || chosen.some(isPeriod) ? ahead : chosen
  if (wanted.length === 0) {
    return unknown(data, granularity, chosen.length > 0 || isVague(reading) ? vagueQuestion : openHorizonQuestion)
  }
  const frequency = alias === null ? undefined : readFrequency(alias)
  const read = wanted.map((wish) => ({
    wish,
    horizon: horizonOf(wish.value, granularity, end === null || frequency === undefined
      ? undefined
      : countSteps(wish.value, end, frequency, isNamedByStart(data.roles.timestamp)))
  }))
  const last = read.at(-1) as typeof read[number]
  const different = [...new Map(read.map((one) => [keyOf(one.horizon), one])).values()]
  const isCorrected = different.length > 1 &&
    isLengthCorrected(reading, (different[0] as typeof last).wish.to, last.wish.to)
  if (different.length > 1 && !isCorrected) {
    return {
      value: none,
      weight: 0,
      question: ask('horizon', 'The prompt names several horizons. Which one shall the forecast have?',
        different.slice(0, maxSuggestions).map(({ wish }) => text.source(wish.from, wish.to)))
    }
  }
  const { wish, horizon } = last
  const words = text.source(wish.from, wish.to)
  if (horizon.steps === 0 && end !== null && words !== '') {
    return unknown(data, granularity,
      `"${words}" lies before the end of the data, ${
        end.toISOString().slice(0, 10)
      }. How far shall the forecast reach?`)
  }
  if (horizon.steps === 0) return unknown(data, granularity, openHorizonQuestion)
  if (horizon.steps === null && (horizon.quantity === null || (frequency !== undefined && end !== null))) {
    return unknown(data, granularity, vagueQuestion)
  }
  return { value: horizon, weight: wish.weight }
}

type Wish = Extract<Finding, { field: 'horizon' }>

const pastVerb = / (?:had|got|was|were|took|did|went|ran|came|lost|saw|happened|needed|closed|opened|started|broke) /

/** Whether the prompt has a vague length, such as `a few weeks` or `some months`. */
function isVague (reading: Reading): boolean {
  return reading.text.tokens.some((_, at) => reading.begins('vague', at))
}

/** `in August we had to take back 300 within 5 days` tells of what was. */
function isTold ({ text }: Reading, wish: Wish): boolean {
  let first = wish.from
  while (first > 0 && first > wish.from - 25 && text.key(first - 1) !== '.') first--
  return pastVerb.test(text.keys(first, isPeriod(wish) ? text.sentenceEnd(wish.from) : wish.from))
}

/** `of February`, which may as well be a time that was. */
function isPeriod ({ value, weight }: Wish): boolean {
  return value.kind === 'until' && weight < explicit
}

function isNamedByStart (timeColumn: string | null): boolean {
  return timeColumn !== null && nameParts(timeColumn).some((part) => lists.startOfStep.has(fold(part)))
}

function unknown (data: DataProfile, granularity: Granularity | null, question: string): Choice<Horizon> {
  return {
    value: none,
    weight: 0,
    question: ask('horizon', question, suggestHorizons(granularity, data.series?.minLength ?? 0))
  }
}

function horizonOf (wish: HorizonWish, granularity: Granularity | null, steps: number | undefined): Horizon {
  if (wish.kind === 'steps') return { steps: steps ?? Math.ceil(wish.quantity), quantity: wish.quantity, unit: 'steps' }
  if (wish.kind === 'until') return steps === undefined ? none : { steps, quantity: steps, unit: 'steps' }
  if (granularity !== null && stepUnits[granularity] === wish.unit) {
    return { steps: steps ?? null, quantity: wish.quantity, unit: 'steps' }
  }
  const [unit, factor] = shownUnits[wish.unit]
  return { steps: steps ?? null, quantity: wish.quantity * factor, unit }
}

function keyOf ({ steps, quantity, unit }: Horizon): string {
  return steps === null ? `${quantity} ${unit}` : String(steps)
}
