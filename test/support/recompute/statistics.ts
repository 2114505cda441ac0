/* Textbook statistics, written without a look at the engine's, so that the two can be compared. */

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const mean = (values: readonly number[]): number => sum(values) / values.length

export function median (values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2
}

export function variance (values: readonly number[]): number {
  const centre = mean(values)
  return mean(values.map((value) => (value - centre) ** 2))
}

/** A standard deviation that a few wild values do not move. */
export function robustDeviation (values: readonly number[]): number {
  const centre = median(values)
  return 1.4826 * median(values.map((value) => Math.abs(value - centre)))
}

/** The median of the slopes of all pairs. */
export function theilSen (values: readonly number[]): number {
  const slopes: number[] = []
  for (let left = 0; left < values.length; left++) {
    for (let right = left + 1; right < values.length; right++) {
      slopes.push((at(values, right) - at(values, left)) / (right - left))
    }
  }
  return median(slopes)
}

/** Of the Mann-Kendall test, for values that are independent and not tied. */
export function mannKendall (values: readonly number[]): number {
  let score = 0
  for (let left = 0; left < values.length; left++) {
    for (let right = left + 1; right < values.length; right++) score += Math.sign(at(values, right) - at(values, left))
  }
  const n = values.length
  return score / Math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
}

/** What `throws` of a fair coin show on one side `fewer` times or less, or that often on the other. */
export function signTest (fewer: number, throws: number): number {
  let [ways, total] = [1, 0]
  for (let k = 0; k <= fewer; k++) {
    total += ways
    ways *= (throws - k) / (k + 1)
  }
  return Math.min(1, 2 * total / 2 ** throws)
}

/** How many of the values are worth as much as independent ones: (1 - r) / (1 + r), with Kendall's correction of r. */
export function independentShare (values: readonly number[]): number {
  const centre = mean(values)
  const apart = values.map((value) => value - centre)
  const squares = sum(apart.map((value) => value ** 2))
  const raw = squares > 0 ? sum(apart.slice(1).map((value, index) => value * at(apart, index))) / squares : 0
  const r = Math.min(0.98, Math.max(0, raw + (1 + 3 * raw) / values.length))
  return (1 - r) / (1 + r)
}

/**
 * One minus the entropy of the spectrum over that of a flat one, in at most 64 bands; the series is padded with zeros
 * to a power of two.
 */
export function forecastability (values: readonly number[]): number {
  const centre = mean(values)
  if (values.length < 8 || values.every((value) => value === values[0])) return 0
  const length = 2 ** Math.ceil(Math.log2(values.length))
  const width = Math.ceil(length / 2 / 64)
  const powers: number[] = []
  for (let bin = 1; bin <= length / 2; bin++) {
    const angle = -2 * Math.PI * bin / length
    const real = sum(values.map((value, time) => (value - centre) * Math.cos(angle * time)))
    const imaginary = sum(values.map((value, time) => (value - centre) * Math.sin(angle * time)))
    const band = Math.floor((bin - 1) / width)
    powers[band] = (powers[band] ?? 0) + real ** 2 + imaginary ** 2
  }
  const total = sum(powers)
  const entropy = sum(powers.map((power) => power > 0 ? -power / total * Math.log(power / total) : 0))
  return 1 - entropy / Math.log(powers.length)
}

/** For an index that is known to be inside. */
export function at<T> (values: readonly T[], index: number): T {
  if (index < 0 || index >= values.length) throw new RangeError(`no value at ${index} of ${values.length}`)
  return values[index] as T
}
