import type { Observations } from './observations.ts'
import { declaredPublications, type PublicationLag } from './publication-lag.ts'

export interface AsOfRules {
  /** The last observation of the target, milliseconds UTC. */
  cutoffMs: number
  /** Uses only values that were published by the cutoff; otherwise the newest values. */
  pointInTime: boolean
  /** Uses only values with a publication time of the provider; a declared delay does not count. */
  requirePublished: boolean
  lag: PublicationLag | null
}

/**
 * One row per valid time: among the allowed vintages the one published last, then the one issued last. Missing
 * publication times are filled in by the declared delay. A valid time without an allowed vintage is left out; with
 * `pointInTime` so is one without any publication time.
 */
export function asOf (observations: Observations,
  { cutoffMs, pointInTime, requirePublished, lag }: AsOfRules): Observations {
  const { variable, frequency, validTimeMs, values, issuedAtMs, publishedAtMs } = observations
  const most = validTimeMs.length
  // Written column by column, because a catalogue has millions of rows.
  const kept = {
    validTimeMs: new Float64Array(most),
    values: new Float64Array(most),
    issuedAtMs: new Float64Array(most),
    publishedAtMs: new Float64Array(most)
  }
  const declared = declaredPublications(lag, frequency)
  let rows = 0
  for (let row = 0; row < most; row++) {
    const value = values[row] as number
    // An empty vintage does not replace an earlier value, because providers leave gaps in some runs.
    if (Number.isNaN(value)) continue
    const time = validTimeMs[row] as number
    const issued = issuedAtMs[row] as number
    const real = publishedAtMs[row] as number
    if (requirePublished && Number.isNaN(real)) continue
    const at = Number.isNaN(real) ? declared(time, issued) : real
    // The negation also rejects an unknown time (NaN).
    if (pointInTime && !(at <= cutoffMs)) continue
    if (rows > 0 && kept.validTimeMs[rows - 1] === time) {
      if (!isNewer(at, issued, kept.publishedAtMs[rows - 1] as number, kept.issuedAtMs[rows - 1] as number)) continue
      rows--
    }
    kept.validTimeMs[rows] = time
    kept.values[rows] = value
    kept.issuedAtMs[rows] = issued
    kept.publishedAtMs[rows] = at
    rows++
  }
  // Copied to its own length, so that the larger buffer can be freed.
  const column = (whole: Float64Array) => rows === most ? whole : whole.slice(0, rows)
  return {
    variable,
    frequency,
    validTimeMs: column(kept.validTimeMs),
    values: column(kept.values),
    issuedAtMs: column(kept.issuedAtMs),
    publishedAtMs: column(kept.publishedAtMs)
  }
}

function isNewer (published: number, issued: number, otherPublished: number, otherIssued: number): boolean {
  const [at, other] = [known(published), known(otherPublished)]
  return at === other ? known(issued) >= known(otherIssued) : at > other
}

function known (time: number): number {
  return Number.isNaN(time) ? -Infinity : time
}
