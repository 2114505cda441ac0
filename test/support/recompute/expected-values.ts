import type { RuleName } from '../../../src/report/explanation/findings.ts'
import type { Dataset } from './datasets.ts'
import { factsOf, skillOf, type RawSeries, type SeriesFacts } from './series-facts.ts'
import { at, mean, sum } from './statistics.ts'

/** A value by another method than the engine's: true where the two agree to `within`. */
export class About {
  readonly value: number
  readonly within: number

  constructor (value: number, within: number) {
    this.value = value
    this.within = within
  }
}

export type Expected = number | string | About
/** By rule and name; a sentence about one series, or about their sum, and one about several may have the same rule. */
export type ExpectedValues = Record<'main' | 'panel', Record<string, Record<string, Expected>>>

export interface Recomputed {
  values: ExpectedValues
  extents: Extents
  confidence: number
}

interface Told {
  dataset: Dataset
  series: RawSeries[]
  season: number
}

const monthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December']
const dayNames = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']
/** Findings are those of the largest series, this many at most. */
const mostJudged = 2000

export function recompute ({ dataset, series, season }: Told): Recomputed {
  const newest = Math.max(...series.map(({ start, values }) => start + values.length - 1))
  const all = series.map((one) => factsOf(one, season, newest))
  const judged = all.toSorted((left, right) => right.volume - left.volume).slice(0, mostJudged)
  const only = judged.length === 1 ? judged[0] : undefined
  const total = only === undefined ? totalOf(judged, season, newest) : undefined
  const main = only ?? total
  const accuracy = panelAccuracy(judged)
  const certainty = certaintyOf(accuracy)
  const common = {
    target: 'target',
    certainty,
    ...(only === undefined ? {} : { item: only.raw.item }),
    ...(total === undefined ? {} : { total_series: total.series })
  }
  const ofMain = main === undefined ? {} : mainValues(main, dataset.freq, season)
  const told = Object.entries(ofMain).map(([rule, values]) => [rule, { ...common, ...values }])
  const tested = judged.filter((one) => one.accuracy !== null)
  return {
    values: { main: Object.fromEntries(told), panel: panelValues(judged, all.length, accuracy) },
    extents: extentsOf(judged),
    confidence: weighted(tested.length > 0 ? tested : judged, (one) => one.confidence)
  }
}

function weighted (series: readonly SeriesFacts[], of: (one: SeriesFacts) => number): number {
  return sum(series.map((one) => of(one) * one.volume)) / sum(series.map(({ volume }) => volume))
}

interface PanelAccuracy {
  series: number
  skill: number
  coverage: number
}

function panelAccuracy (judged: readonly SeriesFacts[]): PanelAccuracy {
  const tested = judged.filter(({ accuracy }) => accuracy !== null)
  const errors = (of: 'error' | 'naiveError') => sum(tested.map(({ accuracy }) => accuracy?.[of] ?? 0))
  return {
    series: tested.length,
    skill: skillOf(errors('error'), errors('naiveError')),
    coverage: weighted(tested, ({ accuracy }) => accuracy?.coverage ?? 0)
  }
}

function certaintyOf ({ series, skill, coverage }: PanelAccuracy): string {
  if (series === 0 || skill <= 0) return 'uncertain'
  return skill >= 0.2 && coverage >= 0.7 && coverage <= 0.9 ? 'likely' : 'may differ'
}

/**
 * The sum of the series that reach the newest step, from where 95 % of them have begun; what is missing counts as what
 * was seen next.
 */
function totalOf (judged: readonly SeriesFacts[], season: number, newest: number):
  | SeriesFacts & { series: number }
  | undefined {
  const parts = judged.filter(({ stale }) => stale === 0).map(({ raw }) => raw)
  if (parts.length < 2) return undefined
  const begun = (place: number) => parts.filter(({ start }) => start <= place).length
  let start = newest
  while (begun(start - 1) >= 0.95 * parts.length) start--
  const valueAt = ({ values, start: first }: RawSeries, place: number) =>
    place < first ? 0 : values.slice(place - first).find((value) => !Number.isNaN(value)) ?? 0
  const values = Array.from({ length: newest - start + 1 },
    (_, step) => sum(parts.map((part) => valueAt(part, start + step))))
  const means = at(parts, 0).mean.map((_, step) => sum(parts.map((part) => at(part.mean, step))))
  return {
    ...factsOf({ item: '', start, values, mean: means, lower: [], upper: [], backtest: null }, season, newest),
    series: parts.length
  }
}

function mainValues (facts: SeriesFacts, freq: Dataset['freq'],
  season: number): Record<string, Record<string, Expected>> {
  const { raw, accuracy, band, comparison, bias, constant, intermittent } = facts
  const steps = raw.values.length
  const next = raw.start + steps
  const date = (place: number) => dateText(freq, place)
  const highest = raw.mean.indexOf(Math.max(...raw.mean))
  const last = raw.mean.length - 1
  const share = facts.missing / steps
  return {
    comparison: comparison === null
      ? {}
      : {
        from: date(next),
        to: date(next + comparison.steps - 1),
        steps: comparison.steps,
        change: comparison.change,
        ...defined({ relative: comparison.relative, seasons: comparison.seasons })
      },
    outlook: { steps: last + 1, mean: mean(raw.mean), highest: at(raw.mean, highest), at: date(next + highest) },
    last_step: {
      to: date(next + last),
      last: at(raw.mean, last),
      ...(raw.lower.length > 0 ? { lower: at(raw.lower, last), upper: at(raw.upper, last) } : {})
    },
    ...(accuracy === null ? {} : {
      accuracy: { skill: accuracy.skill, steps: accuracy.steps },
      few_tests: { steps: accuracy.steps },
      small_lead: { skill: accuracy.skill },
      odd_band: { coverage: accuracy.coverage },
      not_better: { error: accuracy.error, naive_error: accuracy.naiveError, skill: accuracy.skill },
      coverage: { share: accuracy.coverage }
    }),
    ...(band === null
      ? {}
      : {
        growing: { first_width: band.first, last_width: band.last, ratio: band.ratio },
        wide: { relative: band.relative }
      }),
    ...(bias === null ? {} : { bias: { relative: bias } }),
    ...(intermittent === null
      ? {}
      : { intermittent: { zero_share: intermittent.zeroShare, interval: intermittent.interval } }),
    negatives: { count: facts.negatives, observed: facts.observed, share: facts.negatives / facts.observed },
    short_history: { steps, seasons: steps / season },
    missing: { missing: facts.missing, steps, share },
    constant: { steps: constant, value: at(facts.values, steps - 1), since: date(next - constant) },
    no_backtest: {},
    ...historyValues(facts, freq, season)
  }
}

/**
 * What the classical decomposition tells: the engine's has other sizes in the last digits, and says so with `about`.
 */
function historyValues ({ raw, values, parts, level, hasBase }: SeriesFacts, freq: Dataset['freq'],
  season: number): Record<string, Record<string, Expected>> {
  const date = (step: number) => dateText(freq, raw.start + step)
  const { slope, shift, bend, outliers, lastLevel } = parts
  const all = slope * (values.length - 1)
  const cycle = values.length < season ? all : slope * season
  const relative = (value: number) => hasBase ? value / level : NaN
  const largest =
    outliers.toSorted((one, other) =>
      Math.abs(at(values, other.at) - other.expected) - Math.abs(at(values, one.at) - one.expected)
    )[0]
  const spread = Math.max(...parts.season) - Math.min(...parts.season)
  const [high, low] = [parts.season.indexOf(Math.max(...parts.season)), parts.season.indexOf(Math.min(...parts.season))]
  const highest = raw.mean.indexOf(Math.max(...raw.mean))
  const height = at(parts.season, high)
  return {
    trend: {
      from: date(0),
      to: date(values.length - 1),
      change: near(cycle),
      relative: near(relative(cycle)),
      total_relative: near(relative(all))
    },
    ...(parts.strength === 0 ? {} : {
      season: {
        peak: phaseText(freq, raw.start + high),
        trough: phaseText(freq, raw.start + low),
        peak_change: new About(height, spread / 12),
        peak_relative: new About(height / lastLevel, spread / 12 / lastLevel)
      },
      peak: {
        highest_at: date(values.length + highest),
        highest: at(raw.mean, highest),
        mean: mean(raw.mean),
        above_mean: at(raw.mean, highest) / mean(raw.mean) - 1
      }
    }),
    ...(shift === null
      ? {}
      : { level_shift: { at: date(shift.at), size: near(shift.size), relative: near(shift.relative) } }),
    ...(bend === null ? {} : { trend_change: bendValues(bend, date(bend.at), relative) }),
    ...(largest === undefined
      ? {}
      : {
        outliers: {
          count: outliers.length,
          share: outliers.length / values.length,
          largest: date(largest.at),
          value: at(values, largest.at),
          expected: near(largest.expected)
        }
      })
  }
}

function bendValues ({ before, after }: { before: number, after: number }, date: string,
  relative: (value: number) => number): Record<string, Expected> {
  const within = Math.max(Math.abs(before), Math.abs(after)) / 6
  const [one, other] = [new About(before, within), new About(after, within)]
  return {
    at: date,
    before: one,
    after: other,
    before_relative: new About(relative(before), relative(within)),
    after_relative: new About(relative(after), relative(within))
  }
}

const near = (value: number) => new About(value, Math.abs(value) / 6)

/** In which series each rule of the findings is true. */
function extentsOf (judged: readonly SeriesFacts[]): Extents {
  const extent = (effect: (one: SeriesFacts) => number | null,
    candidates: (one: SeriesFacts) => boolean = () => true) => extentOf(judged.filter(candidates), effect)
  const isTested = (one: SeriesFacts) => one.accuracy !== null
  const hasBand = (one: SeriesFacts) => one.band !== null
  const when = (holds: boolean, effect: number) => holds ? effect : null
  const trend = (sign: number) =>
    extent(({ parts, volume }) => when(parts.hasTrend && parts.slope * sign > 0, parts.slope / volume))
  const change = (sign: number) =>
    extent(
      ({ comparison, volume }) =>
        when(comparison !== null && !comparison.aboutSame && comparison.change * sign > 0,
          (comparison?.change ?? 0) / volume),
      (one) => one.comparison !== null
    )
  const strong = (least: number) =>
    extent(({ parts }) => when(parts.strength > 0 && parts.strength >= least, parts.strength))
  const bias = (sign: number) => extent((one) => when((one.bias ?? 0) * sign > 0, one.bias ?? 0), isTested)
  const skill = (holds: (skill: number) => boolean) =>
    extent(({ accuracy }) => when(accuracy !== null && holds(accuracy.skill), accuracy?.skill ?? 0), isTested)
  const coverage = (sign: number) =>
    extent((one) => when(Math.sign(one.oddCoverage ?? 0) === sign, one.oddCoverage ?? 0), isTested)
  return {
    ...{
      trend_up: trend(1),
      trend_down: trend(-1),
      rise: change(1),
      fall: change(-1),
      season: strong(0),
      strong_season: strong(0.6)
    },
    ...{ too_high: bias(1), too_low: bias(-1), too_wide: coverage(1), too_narrow: coverage(-1) },
    ...{
      clearly_better: skill((value) => value >= 0.2),
      slightly_better: skill((value) => value > 0 && value < 0.2),
      not_better: skill((value) => value <= 0)
    },
    trend_change: extent(({ parts, volume }) =>
      parts.bend === null ? null : (parts.bend.after - parts.bend.before) / volume
    ),
    level_shift: extent(({ parts, volume }) => parts.shift === null ? null : parts.shift.size / volume),
    outliers: extent(({ parts, values }) =>
      when(parts.outliers.length > 0.01 * values.length, parts.outliers.length / values.length)
    ),
    intermittent: extent(({ intermittent }) => intermittent?.zeroShare ?? null),
    lumpy: extent(({ intermittent }) => when((intermittent?.variation ?? 0) >= 0.49, intermittent?.variation ?? 0)),
    short_history: extent(({ shortHistory }) => when(shortHistory, 1)),
    missing: extent(({ missing, values }) => when(missing > 0.01 * values.length, missing / values.length)),
    constant: extent(({ constant }) => when(constant > 0, constant)),
    negatives: extent(({ negatives, observed }) => when(negatives > 0, negatives / observed)),
    stale_end: extent(({ stale }) => when(stale > 2, stale)),
    growing: extent(({ band }) => when((band?.ratio ?? 0) > 3, band?.ratio ?? 0), hasBand),
    wide: extent(({ band }) => when((band?.relative ?? 0) > 0.5, band?.relative ?? 0), hasBand)
  }
}

function panelValues (judged: readonly SeriesFacts[], seriesInAll: number,
  accuracy: PanelAccuracy): ExpectedValues['panel'] {
  const extents = extentsOf(judged)
  const {
    trend_up: up,
    trend_down: down,
    rise,
    fall,
    season,
    strong_season: strong,
    intermittent,
    lumpy,
    outliers,
    growing
  } = extents
  const largest = judged.slice(0, Math.ceil(judged.length / 10))
  return {
    ...extents,
    concentration: {
      series: largest.length,
      of: judged.length,
      share: sum(largest.map(({ volume }) => volume)) / sum(judged.map(({ volume }) => volume))
    },
    trends: {
      of: judged.length,
      up: up.series,
      down: down.series,
      up_share: up.volume_share,
      down_share: down.volume_share
    },
    movers: { of: rise.of, rise: rise.series, fall: fall.series, least: 0.03 },
    season: { ...season, strong: strong.series },
    intermittent: { ...intermittent, lumpy: lumpy.series },
    outliers: { ...outliers, least: 0.01 },
    growing: { ...growing, least: 3 },
    ...{ rise: { ...rise, least: 0.03 }, fall: { ...fall, least: 0.03 } },
    ...{
      accuracy: { skill: accuracy.skill, series: accuracy.series },
      small_lead: { skill: accuracy.skill, series: accuracy.series },
      odd_band: { coverage: accuracy.coverage, series: accuracy.series }
    },
    largest_only: { series: judged.length, total_series: seriesInAll }
  }
}

// A type and not an interface: only that is a record.
type Extent = { series: number, of: number, volume_share: number, example: string }
export type Extents = Record<RuleName, Extent>

function extentOf (judged: readonly SeriesFacts[], effect: (one: SeriesFacts) => number | null): Extent {
  const found = judged.flatMap((one) => {
    const size = effect(one)
    return size === null ? [] : [{ one, weight: Math.abs(size) * one.volume }]
  })
  const example = found.reduce<typeof found[number] | undefined>(
    (best, next) => best === undefined || next.weight > best.weight ? next : best,
    undefined
  )
  const volume = (of: readonly SeriesFacts[]) => sum(of.map((one) => one.volume))
  return {
    series: found.length,
    of: judged.length,
    volume_share: found.length === 0 ? 0 : volume(found.map(({ one }) => one)) / volume(judged),
    example: example?.one.raw.item ?? ''
  }
}

/** What was not found has no value. */
function defined (values: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => value === null ? [] : [[name, value]]))
}

function dateText (freq: Dataset['freq'], place: number): string {
  if (freq === 'D') return new Date(place * 86_400_000).toISOString().slice(0, 10)
  return freq === 'MS' ? `${at(monthNames, place % 12)} ${Math.floor(place / 12)}` : String(place)
}

function phaseText (freq: Dataset['freq'], place: number): string {
  return freq === 'D'
    ? `on ${at(dayNames, new Date(place * 86_400_000).getUTCDay())}`
    : `in ${at(monthNames, place % 12)}`
}
