import type { FilterOperator } from '../../../domain/intent-values.ts'
import type { FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { dayMs, timeText } from '../../recommendations/time/civil-time.ts'
import { addSteps, type HorizonWish, type TimeUnit, unitSteps } from '../../recommendations/time/frequency.ts'
import type { Period } from '../time/read-period.ts'

/** The comparison with a period, by the words about it. */
const bounds: Record<string, [op: FilterOperator, edge: 'first' | 'last']> = {
  since: ['gte', 'first'],
  after: ['gt', 'last'],
  until: ['lte', 'last'],
  before: ['lt', 'first'],
  cut_since: ['lt', 'first'],
  cut_after: ['lte', 'last'],
  cut_before: ['gte', 'first']
}

/**
 * Reads the rows to learn from, which are never a horizon: `use the last 3 years`, `data since 2021`, `ignore
 * everything before 2022`.
 */
export function trainingWishes (phrases: readonly FoundPhrase[], reading: Reading): Finding[] {
  const { end } = reading
  if (end === null) return []
  return phrases.flatMap((phrase): Finding[] => {
    const slot = phrase.slots.at(-1)
    const bound = bounds[phrase.value]
    if (bound === undefined && phrase.value !== 'within') {
      const start = before(end, slot as string | HorizonWish)
      return start === undefined ? [] : [rows(reading, phrase.value === 'dropped' ? 'lte' : 'gt', [start], phrase)]
    }
    const { first, last } = slot as Period
    if (first.getTime() > end.getTime()) return []
    if (bound !== undefined) return [rows(reading, bound[0], [bound[1] === 'first' ? first : last], phrase)]
    return [last.getTime() < end.getTime()
      ? rows(reading, 'between', [first, last], phrase)
      : rows(reading, 'gte', [first], phrase)]
  })
}

/** The time this long before the end of the data. */
function before (end: Date, length: string | HorizonWish): Date | undefined {
  const isOne = typeof length === 'string'
  if (!isOne && length.kind !== 'duration') return undefined
  const { quantity, unit } = isOne ? { quantity: 1, unit: length as TimeUnit } : length
  // Business days are counted back as days.
  return addSteps(end, unitSteps[unit === 'businessday' ? 'day' : unit], -quantity)
}

/** A filter on the time, or a constraint if the time column is unknown. */
function rows ({ data }: Reading, op: FilterOperator, times: Date[], { from, to, weight }: FoundPhrase): Finding {
  const place = { from, to, weight }
  const column = data.roles.timestamp
  if (column !== null) {
    return {
      field: 'filters',
      value: [{ column, op, value: times.map(timeText).join(',') }],
      ...place
    }
  }
  const [first] = times as [Date]
  const shift = op === 'lt' ? -dayMs : op === 'gt' ? dayMs : 0
  const lead = op === 'lt' || op === 'lte' ? 'to' : 'from'
  const words = op === 'between' ? times.map(timeText).join(' to ') : timeText(new Date(first.getTime() + shift))
  return { field: 'user_constraints', value: `history ${lead} ${words}`, ...place }
}
