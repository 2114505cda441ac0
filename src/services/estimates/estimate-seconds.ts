import type { TimingSample } from './timing-sample.ts'
import type { Workload } from './workload.ts'

export interface SecondsEstimate {
  p50: number
  p90: number
  /** Shares of `p50` by stage, in seconds. */
  stages: Record<string, number>
  /** `heuristic`: hardly any jobs of this kind and size have been timed here. */
  basis: 'measured' | 'heuristic'
  /** How many jobs of this kind have been timed here. */
  samples: number
}

/** Assumed as long as nothing was timed: the cores of a slot, and the fixed seconds of every job. */
const assumed = { cores: 2, overheadSeconds: 0.05 }
/** A job counts half as much once this many newer jobs of its kind exist. */
const agedAfter = 250
/** The weight of similar jobs from which an estimate counts as measured. */
const enough = 5

/** The prior: the formula is right within a factor of about two. It weighs as much as `worth` jobs. */
const belief = { spread: 0.7, worth: 2, normalQuantiles: [-1.28, -0.52, 0, 0.52, 1.28] }

interface Weighted {
  value: number
  weight: number
}

/**
 * Quantiles of the ratio between measured time and a rough formula, weighted by similarity to this job. The kernel has
 * long tails (local constant quantile regression, Yu and Jones 1998), so that jobs of other sizes still tell how fast
 * the machine is. `samples` are of one kind, newest first.
 */
export function estimateSeconds (workload: Workload, samples: readonly TimingSample[]): SecondsEstimate {
  const near = samples.map((sample, age) => ({
    sample,
    value: Math.log(sample.seconds / formulaSeconds(sample)),
    weight: 0.5 ** (age / agedAfter) / (1 + distance(workload, sample)) ** 2
  }))
  const weight = near.reduce((sum, one) => sum + one.weight, 0)
  const centre = near.length === 0 ? 0 : weightedQuantile(near, 0.5)
  const { spread, worth, normalQuantiles } = belief
  const believed = normalQuantiles.map((quantile) => ({
    value: centre + spread * quantile,
    weight: worth / normalQuantiles.length
  }))
  const all: Weighted[] = [...near, ...believed]
  const base = formulaSeconds(workload)
  const p50 = base * Math.exp(weightedQuantile(all, 0.5))
  const p90 = Math.max(p50, base * Math.exp(weightedQuantile(all, 0.9)))
  return {
    p50,
    p90,
    stages: stagesOf(near, p50),
    basis: weight >= enough ? 'measured' : 'heuristic',
    samples: samples.length
  }
}

function formulaSeconds ({ costMs }: Workload): number {
  return assumed.overheadSeconds + costMs / 1000 / assumed.cores
}

/** A factor of e in cells is a distance of 1. Cost counts for more, and so does having analyses or not. */
function distance (one: Workload, other: Workload): number {
  const cost = Math.log(formulaSeconds(one) / formulaSeconds(other))
  const cells = Math.log(one.rows * one.columns + 1) - Math.log(other.rows * other.columns + 1)
  return 4 * cost ** 2 + cells ** 2 + (one.isExplained === other.isExplained ? 0 : 4)
}

/** Timings that are not part of the run. */
const notStages: ReadonlySet<string> = new Set(['queue', 'total'])

/** Splits `p50` by the shares that the stages have in similar jobs. */
function stagesOf (near: ReadonlyArray<Weighted & { sample: TimingSample }>, p50: number): Record<string, number> {
  const shares = new Map<string, number>()
  let sum = 0
  for (const { sample: { timings, seconds }, weight } of near) {
    sum += weight
    for (const [stage, time] of Object.entries(timings)) {
      if (!notStages.has(stage)) shares.set(stage, (shares.get(stage) ?? 0) + weight * Math.min(1, time / seconds))
    }
  }
  return Object.fromEntries([...shares].map(([stage, share]) => [stage, p50 * share / sum]))
}

/** The smallest value whose cumulative weight reaches the share `level`. */
function weightedQuantile (values: readonly Weighted[], level: number): number {
  const ascending = [...values].sort((one, other) => one.value - other.value)
  let left = level * values.reduce((sum, { weight }) => sum + weight, 0)
  for (const { value, weight } of ascending) {
    left -= weight
    if (left <= 0) return value
  }
  return ascending.at(-1)?.value ?? 0
}
