/** Shares of the steps whose value is known, from 0 to 1. An empty part counts as covered. */
export interface Coverage {
  history: number
  future: number
}

/** `historySteps`: how many of the first steps are history; the rest is the horizon. */
export function coverageOf (values: Float64Array, historySteps: number): Coverage {
  return { history: share(values.subarray(0, historySteps)), future: share(values.subarray(historySteps)) }
}

/** Fills gaps of at most `maxSteps` steps by linear interpolation, if there are known values at both ends. */
export function interpolateGaps (values: Float64Array, maxSteps: number): Float64Array {
  const filled = values.slice()
  let before = -1
  for (let step = 0; step < filled.length; step++) {
    const value = filled[step] as number
    if (Number.isNaN(value)) continue
    const gap = step - before - 1
    if (before >= 0 && gap > 0 && gap <= maxSteps) {
      const from = filled[before] as number
      for (let inside = 1; inside <= gap; inside++) filled[before + inside] = from + (value - from) * inside / (gap + 1)
    }
    before = step
  }
  return filled
}

/** First and last step of the first gap; null if there is none. */
export function firstGap (values: Float64Array): { from: number, to: number } | null {
  const from = values.findIndex(Number.isNaN)
  if (from < 0) return null
  let to = from
  while (to + 1 < values.length && Number.isNaN(values[to + 1] as number)) to++
  return { from, to }
}

function share (values: Float64Array): number {
  if (values.length === 0) return 1
  let known = 0
  for (let step = 0; step < values.length; step++) if (!Number.isNaN(values[step] as number)) known++
  return known / values.length
}
