import type { DatasetProfile, ForecastSpec, JobSize, Preset } from '../queue/messages.ts'

/**
 * Rough cost of one series in milliseconds of one core: a constant, and a part that grows with its length and its
 * horizon. Only the order of magnitude matters: it decides which jobs may not hold up the others.
 */
const costByPreset: Record<Preset, { perSeries: number, perStep: number }> = {
  fast: { perSeries: 0.2, perStep: 0.002 },
  balanced: { perSeries: 1, perStep: 0.01 },
  best: { perSeries: 5, perStep: 0.05 }
}

/** Jobs above this estimate wait in the line of large ones. */
const smallJobMs = 1_000

/** Without a profile (the input was too large to be checked at once) a job is large. */
export function jobSize (profile: DatasetProfile | null, spec: ForecastSpec): JobSize {
  if (profile === null) return 'large'
  const { perSeries, perStep } = costByPreset[spec.preset]
  const steps = profile.rows + profile.series * spec.predictionLength
  return profile.series * perSeries + steps * perStep <= smallJobMs ? 'small' : 'large'
}
