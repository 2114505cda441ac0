/** Two quantiles between which the middle share `coverage` of the values lies. */
export interface Band {
  /** Indices into the levels. */
  low: number
  high: number
  /** In per cent, like `80 %`. */
  coverage: string
}

export interface LevelParts {
  /** The widest first. */
  bands: Band[]
  /** Index of the level 0.5; -1 if there is none. */
  median: number
  /** Levels without a counterpart. */
  single: number[]
}

/** More bands cannot be told apart. */
const mostBands = 5

/**
 * Finds the levels that form bands: one is as far from 0 as the other is from 1. If there are more than five bands,
 * five are drawn, the widest and the narrowest among them.
 */
export function partsOfLevels (levels: readonly number[]): LevelParts {
  const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9
  const median = levels.findIndex((level) => isSame(level, 0.5))
  const pairs: Band[] = []
  const single: number[] = []
  for (const [low, level] of levels.entries()) {
    if (low === median) continue
    const high = levels.findIndex((other) => isSame(other, 1 - level))
    if (high < 0) single.push(low)
    else if (high > low) pairs.push({ low, high, coverage: percentOf(1 - 2 * level) })
  }
  const count = Math.min(mostBands, pairs.length)
  const bands = Array.from({ length: count },
    (_, index) => pairs[count === 1 ? 0 : Math.round(index * (pairs.length - 1) / (count - 1))] as Band)
  return { bands, median, single: single.slice(0, mostBands) }
}

/** `10 %` for a level of 0.1. */
export function percentOf (share: number): string {
  return `${Number((share * 100).toPrecision(6))}\u{A0}%`
}
