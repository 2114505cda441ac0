import { at, mannKendall, mean, median, robustDeviation, theilSen, variance } from './statistics.ts'

/*
 * A classical decomposition, by a centred moving average and the medians of the phases: another method than the
 * engine's, which finds the same in data where it is plain to see. Sizes agree to about a sixth.
 */

export interface Parts {
  /** Of the classical season; 0: none. */
  strength: number
  /** By phase of the first value; zeros where there is no season. */
  season: number[]
  /** Mean of the last cycle without season and outliers. */
  lastLevel: number
  shift: { at: number, size: number, relative: number } | null
  outliers: Array<{ at: number, expected: number }>
  /** Change a step, of the history without season, outliers and shift. */
  slope: number
  hasTrend: boolean
  bend: { at: number, before: number, after: number } | null
}

/** Seasons that explain less are none. */
const seasonal = 0.3
/** So many deviations from the neighbours are an outlier; the planted ones have thirty. */
const wild = 9
/** Steps on both sides of a shift whose medians are compared. */
const reach = 16

/** `values` has lines where nothing was observed. */
export function decompose (values: readonly number[], isObserved: readonly boolean[], period: number,
  yardstick: number): Parts {
  const { strength, season } = seasonOf(values, period)
  const seasonFree = values.map((value, index) => value - at(season, index % season.length))
  const near = seasonFree.map((_, index) => median(seasonFree.slice(Math.max(0, index - 3), index + 4)))
  const distances = seasonFree.map((value, index) => value - at(near, index))
  const deviation = robustDeviation(distances)
  const odd = values.flatMap((_, index) =>
    deviation > 0 && at(isObserved, index) && Math.abs(at(distances, index)) > wild * deviation ? [index] : []
  )
  const clean = seasonFree.map((value, index) => odd.includes(index) ? at(near, index) : value)
  const shift = shiftOf(clean, yardstick)
  const flat = shift === null ? clean : clean.map((value, index) => index >= shift.at ? value - shift.size : value)
  const slope = theilSen(flat)
  const all = slope * (values.length - 1)
  const cycle = values.length < period ? all : slope * period
  const isLarge = Math.abs(cycle) >= 0.02 * yardstick || Math.abs(all) >= 0.1 * yardstick
  return {
    strength,
    season,
    lastLevel: mean(clean.slice(-Math.max(1, period))),
    shift,
    outliers: odd.map((index) => ({ at: index, expected: at(near, index) + at(season, index % season.length) })),
    slope,
    hasTrend: values.length >= 8 && isLarge && Math.abs(mannKendall(flat)) > 3,
    bend: values.length < Math.max(24, period) ? null : bendOf(flat, period, yardstick)
  }
}

function seasonOf (values: readonly number[], period: number): Pick<Parts, 'strength' | 'season'> {
  const none = { strength: 0, season: Array<number>(Math.max(1, period)).fill(0) }
  if (period < 2 || values.length <= 2 * period) return none
  const detrended = values.map((value, index) => value - movingAverage(values, index, period))
  const phases = none.season.map((_, phase) =>
    median(detrended.filter((value, index) => index % period === phase && !Number.isNaN(value)))
  )
  const season = phases.map((value) => value - mean(phases))
  const pairs = detrended.flatMap((value, index) =>
    Number.isNaN(value) ? [] : [[value, value - at(season, index % period)] as const]
  )
  const limit = 6 * robustDeviation(pairs.map(([, rest]) => rest))
  const usual = pairs.filter(([, rest]) => Math.abs(rest) <= limit)
  // Medians of few cycles follow the noise.
  const freedom = 1 - period / usual.length
  const strength = 1 - variance(usual.map(([, rest]) => rest)) / freedom / variance(usual.map(([value]) => value))
  return strength >= seasonal ? { strength, season } : none
}

/** Over one period around the value; NaN near the ends. */
function movingAverage (values: readonly number[], index: number, period: number): number {
  const half = Math.floor(period / 2)
  if (index < half || index + half >= values.length) return NaN
  const around = values.slice(index - half, index + half + 1)
  if (period % 2 === 1) return mean(around)
  const ends = (at(around, 0) + at(around, period)) / 2
  return (around.slice(1, period).reduce((total, value) => total + value, 0) + ends) / period
}

/** Where in the last quarter the medians on both sides differ most, and at once: what goes on slowly is no shift. */
function shiftOf (values: readonly number[], yardstick: number): Parts['shift'] {
  const count = values.length
  const changes = values.slice(1).map((value, index) => value - at(values, index))
  const noise = robustDeviation(changes) / Math.SQRT2
  const slope = count < 2 * reach ? 0 : theilSen(values.slice(0, Math.floor(count * 3 / 4)))
  const jump = (place: number, steps: number) =>
    median(values.slice(place, place + steps)) - median(values.slice(Math.max(0, place - steps), place)) - slope * steps
  let best: Parts['shift'] = null
  let least = 0
  for (let place = Math.floor(count * 3 / 4); place <= count - reach; place++) {
    const size = jump(place, reach)
    // The first step tells the place among those where the medians differ as much.
    const weight = Math.abs(size) + Math.sign(size) * at(changes, place - 1) / 4
    const slopes = [values.slice(place - reach, place), values.slice(place, place + reach)].map(theilSen)
    const isBend = Math.abs(mean(slopes) - slope) * reach > 0.4 * Math.abs(size)
    if (isBend || jump(place, 5) * Math.sign(size) < 0.6 * Math.abs(size) || Math.abs(size) < 3 * noise ||
      Math.abs(size) < 0.08 * yardstick || weight <= least) continue
    least = weight
    best = { at: place, size, relative: size / median(values.slice(Math.max(0, place - reach), place)) }
  }
  return best
}

/** Slopes of the first two thirds and of the last. */
function bendOf (values: readonly number[], period: number, yardstick: number): Parts['bend'] {
  const place = Math.floor(values.length * 2 / 3)
  const [before, after] = [theilSen(values.slice(0, place)), theilSen(values.slice(place))]
  const difference = Math.abs(after - before)
  const third = values.length - place
  const noise = robustDeviation(
    values.map((value, index) => value - median(values.slice(Math.max(0, index - 3), index + 4)))
  )
  const isPlain = difference > 6 * noise * Math.sqrt(12 / third ** 3)
  const isLarge = difference * period >= 0.02 * yardstick || difference * third >= 0.1 * yardstick
  const turns = before * after < 0
  const [small, large] = [Math.min(Math.abs(before), Math.abs(after)), Math.max(Math.abs(before), Math.abs(after))]
  return isPlain && isLarge && (turns || large >= 2 * small)
    ? { at: place, before: before * period, after: after * period }
    : null
}
