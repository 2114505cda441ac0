/** Maps values to coordinates of a drawing. */
export interface Scale {
  /** Coordinates of its ends. */
  from: number
  to: number
  place: (value: number) => number
  ticks: number[]
  /** Significant digits that tell its ticks apart. */
  digits: number
}

export interface LinearOptions {
  low: number
  high: number
  from: number
  to: number
  count?: number
}

/** A linear scale that begins and ends at a tick. Ticks are 1, 2 or 5 times a power of ten apart. */
export function linearScale ({ low, high, from, to, count = 5 }: LinearOptions): Scale {
  const size = Math.max(Math.abs(low), Math.abs(high))
  // If all values are equal, or nearly so for their size, the scale gets some range around them.
  const span = high - low > size * 1e-9 ? high - low : size / 2
  const step = niceStep(span > least ? span / count : 1)
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  return {
    from,
    to,
    ticks: Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12))),
    place: (value) => from + (value / step - first) / (last - first) * (to - from),
    digits: Math.min(12, Math.max(2, Math.ceil(Math.log10(size / step || 1)) + 1))
  }
}

/** A linear scale that begins and ends where it is told to, without ticks. */
export function plainScale ({ low, high, from, to }: LinearOptions): Scale {
  return { from, to, ticks: [], digits: 0, place: (value) => from + (value - low) / (high - low || 1) * (to - from) }
}

/** Below this, numbers lose their digits. */
const least = 1e-300

function niceStep (rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5].find((nice) => nice * power >= rough * (1 - 1e-9)) ?? 10
  return factor * power
}
