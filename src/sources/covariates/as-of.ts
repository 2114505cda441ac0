import type { Observations } from './observations.ts'
import { declaredPublications, type PublicationLag } from './publication-lag.ts'

export interface AsOfRules {
  /** The last observation of the target, milliseconds UTC. */
  cutoffMs: number
  /** Only what was published at the cutoff; otherwise the newest values that there are. */
  pointInTime: boolean
  /** Only values whose publication the provider gives; a declared delay does not stand in. */
  requirePublished: boolean
  lag: PublicationLag | null
}

/**
 * One row per valid time: of the vintages that the rules allow, the one published last (then the one issued last). The
 * publication is filled in where it is declared. A valid time without an allowed vintage is left out; so is, with
 * `pointInTime`, one of which no publication time can be told.
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
    // A vintage that is empty does not take back an earlier value: providers leave gaps in runs.
    if (Number.isNaN(value)) continue
    const time = validTimeMs[row] as number
    const issued = issuedAtMs[row] as number
    const real = publishedAtMs[row] as number
    if (requirePublished && Number.isNaN(real)) continue
    const at = Number.isNaN(real) ? declared(time, issued) : real
    // Written so that an unknown time is not let through.
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
  // A copy of its own length, which does not hold on to the rest.
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
