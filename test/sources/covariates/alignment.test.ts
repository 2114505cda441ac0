import t from 'tap'
import { align } from '../../../src/sources/covariates/alignment/align.ts'
import { civilOf, isTimeZone, laterUtcOf, utcOf } from '../../../src/sources/covariates/alignment/civil-time.ts'
import { coverageOf, firstGap, interpolateGaps } from '../../../src/sources/covariates/alignment/coverage.ts'
import { fillFuture } from '../../../src/sources/covariates/alignment/future-strategy.ts'
import { periodsOf } from '../../../src/sources/covariates/alignment/periods.ts'
import { prepareColumn, type ColumnRules } from '../../../src/sources/covariates/alignment/prepare-column.ts'
import { observationsOf, type Frequency, type Observations } from '../../../src/sources/covariates/observations.ts'
import { seededRandom } from '../../support/random.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const everything = { startMs: -Infinity, endMs: Infinity }
const column = (...values: Array<number | null>) => Float64Array.from(values, (value) => value ?? NaN)

function observed (frequency: Frequency, first: string | number, stepMs: number,
  values: Array<number | null>): Observations {
  const start = typeof first === 'string' ? at(first) : first
  return observationsOf('x', frequency, { validTimeMs: values.map((_value, row) => start + row * stepMs), values },
    everything)
}

t.test('civil times become instants and back at every hour around both changes of clocks', async (t) => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia',
    'UTC']) {
    for (const day of ['2025-03-08', '2025-03-29', '2025-04-05', '2025-10-04', '2025-10-25', '2025-11-01']) {
      for (let hour = 0; hour < 60; hour++) {
        const utc = at(`${day}T00:00:00Z`) + hour * hourMs / 2
        const back = utcOf(civilOf(utc, zone), zone)
        if (civilOf(back, zone) !== civilOf(utc, zone) || back > utc) t.fail(`${zone} ${iso(utc)}`)
      }
    }
  }
  t.equal(iso(utcOf(at('2025-03-30T02:30:00Z'), 'Europe/Berlin')), '2025-03-30T01:30', 'a time that clocks skip')
  t.equal(iso(utcOf(at('2025-10-26T02:30:00Z'), 'Europe/Berlin')), '2025-10-26T00:30', 'the first of two')
  t.equal(iso(civilOf(at('2025-10-26T01:30:00Z'), 'Europe/Berlin')), '2025-10-26T02:30')
  t.equal(iso(laterUtcOf(at('2025-10-26T02:30:00Z'), 'Europe/Berlin')), '2025-10-26T01:30', 'the second of two')
  t.equal(iso(laterUtcOf(at('2025-10-26T03:30:00Z'), 'Europe/Berlin')), '2025-10-26T02:30', 'the only one')
  for (const zone of ['Europe/Berlin', 'Asia/Kolkata']) {
    t.equal(utcOf(civilOf(at('0050-06-01T12:00:00Z'), zone), zone), at('0050-06-01T12:00:00Z'),
      'the year 50 is not 1950')
  }
  t.equal(isTimeZone('Europe/Berlin'), true)
  t.equal(isTimeZone('Europe/Nowhere'), false)
  t.throws(() => civilOf(0, 'Europe/Nowhere'), RangeError)
})

t.test('labels stand for what their frequency says', async (t) => {
  const periods = (frequency: string, labels: string[], timeZone?: string) => {
    const { startsMs, endsMs } = periodsOf({
      labelsMs: labels.map(at),
      frequency,
      ...(timeZone === undefined ? {} : { timeZone })
    })
    return [...startsMs].map((start, step) => `${iso(start)} ${iso(endsMs[step]!)}`)
  }
  t.strictSame(periods('h', ['2025-01-01T00:00Z', '2025-01-01T01:00Z']), ['2025-01-01T00:00 2025-01-01T01:00',
    '2025-01-01T01:00 2025-01-01T02:00'])
  t.strictSame(periods('W-SUN', ['2025-01-05', '2025-01-12']), ['2024-12-30T00:00 2025-01-06T00:00',
    '2025-01-06T00:00 2025-01-13T00:00'])
  t.strictSame(periods('MS', ['2025-01-01', '2025-02-01']), ['2025-01-01T00:00 2025-02-01T00:00',
    '2025-02-01T00:00 2025-03-01T00:00'])
  t.strictSame(periods('ME', ['2025-02-28', '2025-03-31']), ['2025-02-01T00:00 2025-03-01T00:00',
    '2025-03-01T00:00 2025-04-01T00:00'])
  t.strictSame(periods('QE-DEC', ['2025-03-31', '2025-06-30']), ['2025-01-01T00:00 2025-04-01T00:00',
    '2025-04-01T00:00 2025-07-01T00:00'])
  t.strictSame(periods('YS', ['2024-01-01', '2025-01-01']), ['2024-01-01T00:00 2025-01-01T00:00',
    '2025-01-01T00:00 2026-01-01T00:00'])
  t.strictSame(periods('D', ['2025-03-29', '2025-03-30', '2025-03-31'], 'Europe/Berlin'), [
    '2025-03-28T23:00 2025-03-29T23:00',
    '2025-03-29T23:00 2025-03-30T22:00',
    '2025-03-30T22:00 2025-03-31T22:00'
  ], 'a day of 23 hours')
  t.strictSame(periods('D', ['2025-10-26', '2025-10-27'], 'Europe/Berlin')[0], '2025-10-25T22:00 2025-10-26T23:00',
    'one of 25')
  t.throws(() => periodsOf({ labelsMs: [1], frequency: 'D' }), RangeError)
  t.throws(() => periodsOf({ labelsMs: [2, 1], frequency: 'D' }), RangeError)
})

t.test('hours become days: mean, sum, max, last', async (t) => {
  const days = periodsOf({ labelsMs: [at('2025-01-01'), at('2025-01-02')], frequency: 'D' })
  const hours = observed('PT1H', '2025-01-01', hourMs, Array.from({ length: 48 }, (_, hour) => hour))
  t.strictSame([...align(hours, days, 'mean')], [11.5, 35.5])
  t.strictSame([...align(hours, days, 'sum')].map(Math.round), [276, 852])
  t.strictSame([...align(hours, days, 'max')], [23, 47])
  t.strictSame([...align(hours, days, 'last')], [23, 47])
})

t.test('a day of 23 and one of 25 hours have the sums of their hours', async (t) => {
  for (const [first, labels, hours] of [['2025-03-29T23:00Z', ['2025-03-30', '2025-03-31'], 23], ['2025-10-25T22:00Z', [
    '2025-10-26',
    '2025-10-27'
  ], 25]] as const) {
    const days = periodsOf({ labelsMs: labels.map(at), frequency: 'D', timeZone: 'Europe/Berlin' })
    const ones = observed('PT1H', first, hourMs, Array.from({ length: 60 }, () => 1))
    t.equal(Math.round(align(ones, days, 'sum')[0]! * 1e9) / 1e9, hours)
  }
})

t.test('values of local days reach every hour of a day of 25', async (t) => {
  const zone = 'Europe/Berlin'
  const days = ['2025-10-25', '2025-10-26', '2025-10-27'].map((day) => utcOf(at(day), zone))
  const flags = observationsOf('x', 'P1D', { validTimeMs: days, values: [0, 1, 0] }, everything)
  const hours = periodsOf({
    labelsMs: Array.from({ length: 50 }, (_, hour) => days[0]! + hour * hourMs),
    frequency: 'h'
  })
  const aligned = align(flags, hours, 'count')
  t.equal(aligned.filter(Number.isNaN).length, 0)
  t.equal(aligned.reduce((sum, value) => sum + value, 0), 25)
})

t.test('an amount is shared out and kept whole, a level and a flag are repeated', async (t) => {
  const halves = periodsOf({ labelsMs: Array.from({ length: 4 }, (_, step) => step * hourMs / 2), frequency: '30min' })
  const hours = observed('PT1H', 0, hourMs, [4, 8])
  t.strictSame([...align(hours, halves, 'sum')], [2, 2, 4, 4])
  t.strictSame([...align(hours, halves, 'mean')], [4, 4, 8, 8])
  t.strictSame([...align(hours, halves, 'count')], [4, 4, 8, 8])
  t.strictSame([
    ...align(observed('P1D', '2025-01-01', dayMs, [1, 0, 1, 0, 0, 0, 0]),
      periodsOf({ labelsMs: [at('2025-01-01'), at('2025-01-08')], frequency: '7D' }), 'count')
  ], [2, NaN], 'holidays of a week')
})

t.test('months of 28 to 31 days share out by their own length', async (t) => {
  const months = observationsOf('x', 'P1M', { validTimeMs: [at('2025-01-01'), at('2025-02-01')], values: [31, 28] },
    everything)
  const days = periodsOf({
    labelsMs: Array.from({ length: 59 }, (_, day) => at('2025-01-01') + day * dayMs),
    frequency: 'D'
  })
  const shares = align(months, days, 'sum')
  t.ok(shares.every((share) => Math.abs(share - 1) < 1e-12))
})

t.test('a step of which a fifth or less is missing stands, one of which more is missing does not', async (t) => {
  const days = periodsOf({ labelsMs: [0, dayMs], frequency: 'D' })
  const withGaps = (gaps: number) =>
    observed('PT1H', 0, hourMs, Array.from({ length: 24 }, (_, hour) => hour < gaps ? null : 2))
  t.equal(align(withGaps(4), days, 'mean')[0], 2)
  t.equal(Math.round(align(withGaps(4), days, 'sum')[0]!), 48, 'what is missing counts like the rest')
  t.ok(Number.isNaN(align(withGaps(5), days, 'mean')[0]))
  t.equal(align(withGaps(23), days, 'max')[0], 2)
  t.ok(Number.isNaN(align(withGaps(24), days, 'max')[0]))
})

t.test('a rate holds over a long weekend and not for ever', async (t) => {
  const days = periodsOf({
    labelsMs: Array.from({ length: 12 }, (_, day) => at('2025-01-02') + day * dayMs),
    frequency: 'D'
  })
  const rates = observationsOf('x', 'P1D', { validTimeMs: [at('2025-01-02'), at('2025-01-03')], values: [1, 2] },
    everything)
  t.strictSame([...align(rates, days, 'last')], [1, 2, 2, 2, 2, 2, 2, 2, 2, NaN, NaN, NaN])
  t.ok(
    Number.isNaN(
      align(rates, periodsOf({ labelsMs: [at('2025-01-01'), at('2025-01-02')], frequency: 'D' }), 'last')[0]
    ),
    'nothing before the first'
  )
})

t.test('sums over any coarser grid agree with the total, whatever the gaps of the grid to the values', async (t) => {
  const random = seededRandom(t)
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: 240 }, () => Math.floor(random() * 100))
    const stepMs = Math.ceil(random() * 40) * hourMs / 4
    const shiftMs = Math.floor(random() * 8) * hourMs / 8
    const count = Math.floor((240 * hourMs - shiftMs) / stepMs)
    if (count < 2) continue
    const grid = periodsOf({
      labelsMs: Array.from({ length: count }, (_, step) => shiftMs + step * stepMs),
      frequency: 'X'
    })
    const hours = observed('PT1H', 0, hourMs, values)
    const sums = align(hours, grid, 'sum')
    const means = align(hours, grid, 'mean')
    const total = values.reduce(
      (sum, value, hour) =>
        sum +
        value *
          Math.max(0, Math.min((hour + 1) * hourMs, shiftMs + count * stepMs) - Math.max(hour * hourMs, shiftMs)) /
          hourMs,
      0
    )
    const sum = sums.reduce((all, one) => all + one, 0)
    if (Math.abs(sum - total) > 1e-6 * Math.max(1, total)) t.fail(`sum ${sum} instead of ${total}`)
    const ofMeans = means.reduce((all, one) => all + one * stepMs / hourMs, 0)
    if (Math.abs(ofMeans - total) > 1e-6 * Math.max(1, total)) t.fail(`mean ${ofMeans} instead of ${total}`)
  }
})

t.test('gaps of at most three steps are interpolated, longer ones and open ends are not', async (t) => {
  t.strictSame([...interpolateGaps(column(0, null, null, null, 4), 3)], [0, 1, 2, 3, 4])
  t.strictSame([...interpolateGaps(column(null, 0, null, null, null, null, 5, null), 3)], [NaN, 0, NaN, NaN, NaN, NaN,
    5, NaN])
  t.strictSame(coverageOf(column(1, null, 1, 1, null), 4), { history: 0.75, future: 0 })
  t.strictSame(coverageOf(column(1), 1), { history: 1, future: 1 })
  t.strictSame(firstGap(column(1, null, null, 1, null)), { from: 1, to: 2 })
  t.equal(firstGap(column(1)), null)
})

t.test('the unknown end is filled as the strategy says', async (t) => {
  const values = column(1, 2, 3, 4, null, null, null)
  t.strictSame([...fillFuture(values, 'forward_fill_latest', 1)], [1, 2, 3, 4, 4, 4, 4])
  t.strictSame([...fillFuture(values, 'seasonal_naive', 2)], [1, 2, 3, 4, 3, 4, 3])
  t.strictSame([...fillFuture(values, 'seasonal_naive', 9)], [1, 2, 3, 4, 4, 4, 4], 'no whole season: the latest')
  t.strictSame([...fillFuture(values, 'none', 1)], [1, 2, 3, 4, NaN, NaN, NaN])
  t.strictSame([...fillFuture(column(null, null), 'forward_fill_latest', 1)], [NaN, NaN])
})

const rules = (change: Partial<ColumnRules> = {}): ColumnRules => ({
  field: 'weather.require_coverage',
  variable: 'temperature_2m',
  historySteps: 10,
  startsMs: Array.from({ length: 12 }, (_, step) => step * dayMs),
  requireCoverage: false,
  futureStrategy: null,
  seasonSteps: 1,
  heldBack: () => null,
  ...change
})
const whole = Array.from({ length: 12 }, (_, step) => step)
const without = (...steps: number[]) => column(...whole.map((value) => steps.includes(value) ? null : value))

t.test('used, partial or skipped by what is known', async (t) => {
  t.match(prepareColumn(column(...whole), rules()), {
    status: 'used',
    reason: null,
    role: 'known_future',
    coverage: { history: 1, future: 1 }
  })
  const gap = prepareColumn(without(4, 5), rules())
  t.match(gap, {
    status: 'partial',
    role: 'known_future',
    coverage: { history: 0.8, future: 1 },
    reason: 'known for 80 % of the history, 100 % after filling'
  })
  t.strictSame([...gap.values], whole)
  t.match(prepareColumn(without(4, 5, 6), rules()), {
    status: 'skipped',
    reason: 'known for 70 % of the history; 80 % are needed'
  })
  t.match(prepareColumn(without(11), rules()), {
    status: 'partial',
    role: 'past_only',
    coverage: { future: 0.5 },
    reason: /^not known for the whole horizon, so it is not used: /
  })
  t.match(prepareColumn(without(9, 10, 11), rules({ futureStrategy: 'forward_fill_latest' })), {
    role: 'known_future',
    status: 'partial',
    coverage: { history: 0.9, future: 0 }
  })
})

t.test('require_coverage names the gap', async (t) => {
  const required = rules({ requireCoverage: true })
  t.match(prepareColumn(column(...whole), required), { status: 'used' })
  t.throws(() => prepareColumn(without(4), required), {
    name: 'CovariateInputError',
    field: 'weather.require_coverage',
    message: 'temperature_2m is known for 90 % of the history and 100 % of the horizon; the first gap is at ' +
      '1970-01-05T00:00:00Z'
  })
  t.throws(() => prepareColumn(without(10, 11), required), {
    message: /0 % of the horizon; the first gap is from 1970-01-11T00:00:00Z to 1970-01-12T00:00:00Z$/
  })
  t.throws(() => prepareColumn(without(10, 11), rules({ futureStrategy: 'error' })), {
    message: /future_strategy is error$/
  })
  t.throws(
    () => prepareColumn(without(10, 11), rules({ requireCoverage: true, heldBack: () => 'two values were held back' })),
    { message: /to 1970-01-12T00:00:00Z; two values were held back$/ }
  )
})
