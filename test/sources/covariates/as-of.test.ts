import t from 'tap'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { defaultLags, lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { frequencyOf, observationsOf, periodEnd, type Frequency } from '../../../src/sources/covariates/observations.ts'
import { declaredPublications, type PublicationLag } from '../../../src/sources/covariates/publication-lag.ts'
import { snapshotId } from '../../../src/sources/covariates/snapshot-id.ts'
import { seededRandom } from '../../support/random.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)
const everything = { startMs: -Infinity, endMs: Infinity }

const declaredPublication = (lag: PublicationLag | null,
  { validTimeMs, issuedAtMs, frequency }: { validTimeMs: number, issuedAtMs: number, frequency: Frequency }) =>
  declaredPublications(lag, frequency)(validTimeMs, issuedAtMs)

t.test('of random vintages, nothing published after the cutoff comes out, and what comes out is the newest that was', async (t) => {
  const random = seededRandom(t)
  const any = (count: number) => Math.floor(random() * count)
  const lags: Array<PublicationLag | null> = [null, {}, { always: true }, { after_period_hours: 30 }, {
    after_issue_hours: 6,
    after_period_hours: 120
  }, { day_before: { time: '12:45', timezone: 'Europe/Brussels' } }]
  const start = at('2025-03-20T00:00:00Z')
  for (let round = 0; round < 500; round++) {
    const rows = 1 + any(60)
    const often = (value: () => number) => Array.from({ length: rows }, () => random() < 0.3 ? NaN : value())
    const validTimeMs = Array.from({ length: rows }, () => start + any(15) * hourMs * (1 + any(24)))
    const columns = {
      validTimeMs,
      values: often(() => any(1000)),
      issuedAtMs: often(() => start - any(10) * dayMs),
      publishedAtMs: often(() => start + (any(30) - 15) * dayMs)
    }
    const observations = observationsOf('x', 'PT1H', columns, everything)
    const lag = lags[any(lags.length)] ?? null
    const rules = {
      cutoffMs: start + (any(20) - 8) * dayMs,
      pointInTime: random() < 0.7,
      requirePublished: random() < 0.3,
      lag
    }
    const chosen = asOf(observations, rules)
    const publication = (row: number) =>
      Number.isNaN(observations.publishedAtMs[row]!)
        ? declaredPublication(lag, {
          validTimeMs: observations.validTimeMs[row]!,
          issuedAtMs: observations.issuedAtMs[row]!,
          frequency: 'PT1H'
        })
        : observations.publishedAtMs[row]!
    const allowed = [...observations.validTimeMs.keys()].filter((row) =>
      !Number.isNaN(observations.values[row]!) &&
      (!rules.requirePublished || !Number.isNaN(observations.publishedAtMs[row]!)) &&
      (!rules.pointInTime || publication(row) <= rules.cutoffMs)
    )
    if (rules.pointInTime && chosen.publishedAtMs.some((time) => !(time <= rules.cutoffMs))) {
      t.fail('published after the cutoff')
    }
    t.strictSame([...chosen.validTimeMs], [...new Set(allowed.map((row) => observations.validTimeMs[row]!))],
      'every valid time that has an allowed vintage, once, in order')
    for (const [index, time] of chosen.validTimeMs.entries()) {
      const newest = Math.max(
        ...allowed.filter((row) => observations.validTimeMs[row] === time).map((row) =>
          Number.isNaN(publication(row)) ? -Infinity : publication(row)
        )
      )
      const own = chosen.publishedAtMs[index]!
      if ((Number.isNaN(own) ? -Infinity : own) !== newest) t.fail('there was a newer vintage')
    }
  }
})

t.test('a revision made after the cutoff is not seen; without point_in_time it is', async (t) => {
  const observations = observationsOf('gdp', 'P3M', {
    validTimeMs: [at('2025-01-01'), at('2025-01-01'), at('2025-01-01')],
    values: [100, 101, 99],
    publishedAtMs: [at('2025-04-30'), at('2025-05-29'), at('2025-06-26')]
  }, everything)
  const value = (cutoff: string, pointInTime = true) => [
    ...asOf(observations, { cutoffMs: at(cutoff), pointInTime, requirePublished: false, lag: null }).values
  ]
  t.strictSame(value('2025-04-29'), [])
  t.strictSame(value('2025-04-30'), [100], 'at the very moment of publication it is known')
  t.strictSame(value('2025-06-25'), [101])
  t.strictSame(value('2025-04-29', false), [99])
})

t.test('a declared delay stands in for an unknown publication, unless a real one is required', async (t) => {
  const observations = observationsOf('cpi', 'P1M', {
    validTimeMs: [at('2025-01-01'), at('2025-02-01')],
    values: [1, 2]
  }, everything)
  const rules = {
    cutoffMs: at('2025-03-15'),
    pointInTime: true,
    requirePublished: false,
    lag: lagLookup('macro')('cpi')
  }
  const known = asOf(observations, rules)
  t.strictSame([...known.values], [1])
  t.equal(known.publishedAtMs[0], at('2025-03-15'), 'six weeks after the end of January')
  t.strictSame([...asOf(observations, { ...rules, requirePublished: true }).values], [])
  t.strictSame([...asOf(observations, { ...rules, lag: null }).values], [], 'of unknown publication is not known')
  t.strictSame([...asOf(observations, { ...rules, lag: null, pointInTime: false }).values], [1, 2])
})

t.test('a gap in a newer run does not take an earlier value back', async (t) => {
  const observations = observationsOf('x', 'PT1H', { validTimeMs: [0, 0], values: [5, null], publishedAtMs: [1, 2] },
    everything)
  t.strictSame([...asOf(observations, { cutoffMs: 3, pointInTime: true, requirePublished: false, lag: null }).values], [
    5
  ])
})

t.test('publication: after the issue, on the day before at a time of the zone, after the period, always', async (t) => {
  const one = { validTimeMs: at('2025-03-30T10:00:00Z'), issuedAtMs: NaN, frequency: 'PT1H' as Frequency }
  const weather = defaultLags.weather['*']!
  t.equal(declaredPublication(weather, { ...one, issuedAtMs: at('2025-03-29T00:00:00Z') }), at('2025-03-29T06:00:00Z'))
  t.equal(declaredPublication(weather, one), at('2025-04-04T11:00:00Z'), 'five days after the end of the hour')
  const price = lagLookup('electricity')('day_ahead_price')
  t.equal(declaredPublication(price, one), at('2025-03-29T11:45:00Z'),
    '12:45 CET of the day before the change of clocks')
  t.equal(declaredPublication(price, { ...one, validTimeMs: at('2025-03-30T21:59:00Z') }), at('2025-03-29T11:45:00Z'),
    'still the same day in Brussels')
  t.equal(declaredPublication(price, { ...one, validTimeMs: at('2025-03-30T22:00:00Z') }), at('2025-03-30T10:45:00Z'),
    'the next day; 12:45 is CEST now')
  t.equal(declaredPublication(price, { validTimeMs: at('2025-03-01T00:00:00Z'), issuedAtMs: NaN, frequency: 'P1M' }),
    at('2025-03-31T10:45:00Z'), 'the mean of March, on the day before its last ends')
  t.equal(declaredPublication({ always: true }, one), -Infinity)
  t.ok(Number.isNaN(declaredPublication({}, one)))
  t.ok(Number.isNaN(declaredPublication({ after_issue_hours: 1 }, one)), 'without an issue')
  t.strictSame(lagLookup('macro', { gdp: { always: true } })('gdp'), { always: true }, 'the operator knows better')
  t.strictSame(lagLookup('macro', { '*': { after_period_hours: 1 } })('cpi'), { after_period_hours: 1 })
})

t.test('ends of periods and frequencies follow the calendar', async (t) => {
  const cases: Array<[string, Frequency, string]> = [
    ['2024-02-01', 'P1M', '2024-03-01'],
    ['2024-01-31', 'P1M', '2024-02-29'],
    ['2024-10-01', 'P3M', '2025-01-01'],
    ['2024-02-29', 'P1Y', '2025-02-28'],
    ['2024-02-28', 'P1D', '2024-02-29'],
    ['2024-02-28', 'P1W', '2024-03-06'],
    ['1960-02-01', 'P1M', '1960-03-01']
  ]
  for (const [start, frequency, end] of cases) {
    t.equal(new Date(periodEnd(at(start), frequency)).toISOString().slice(0, 10), end, `${start} ${frequency}`)
  }
  t.equal(frequencyOf([at('2024-01-01'), at('2024-02-01'), at('2024-03-01')]), 'P1M')
  t.equal(frequencyOf([at('2024-01-01'), at('2024-04-01')]), 'P3M')
  t.equal(frequencyOf([at('2024-01-04'), at('2024-01-05'), at('2024-01-08'), at('2024-01-09')]), 'P1D', 'working days')
  t.equal(frequencyOf([1]), 'P1D')
})

t.test('columns are brought into order and into the range; unequal lengths are refused', async (t) => {
  const found = observationsOf('x', 'PT1H', {
    validTimeMs: [3, 1, 2, 2, 0],
    values: [30, 10, null, 20, 0],
    publishedAtMs: [0, 0, 9, NaN, 0]
  }, { startMs: 1, endMs: 3 })
  t.strictSame([...found.validTimeMs], [1, 2, 2])
  t.strictSame([...found.values], [10, 20, NaN], 'unknown publication first')
  t.throws(() => observationsOf('x', 'PT1H', { validTimeMs: [1], values: [] }, everything), RangeError)
})

t.test('a snapshot has the same id for the same values, and another when anything in it changes', async (t) => {
  const make = (variable: string, value: number, publishedMs = 1) =>
    snapshotId(
      observationsOf(variable, 'P1D', { validTimeMs: [0], values: [value], publishedAtMs: [publishedMs] }, everything)
    )
  const id = make('a', 1)
  t.equal(make('a', 1), id)
  for (const other of [make('b', 1), make('a', 2), make('a', 1, 2)]) t.not(other, id)
  t.match(id, /^sha256:[0-9a-f]{64}$/)
})
