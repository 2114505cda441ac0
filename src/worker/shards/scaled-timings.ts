import type { ForecastSummary } from '../../domain/engine-documents.ts'

type Timings = ForecastSummary['timings']

/**
 * The timings of a forecast whose shards were computed side by side. `timings` has the sums over all parts. They are
 * scaled to the wall time of that stage, `seconds`, so that the parts of a job never exceed its total.
 */
export function scaledTimings (timings: Timings, parts: ReadonlyArray<Record<string, number>>,
  seconds: number): Timings {
  const sums: Record<string, number> = {}
  for (const part of parts) {
    for (const [stage, took] of Object.entries(part)) sums[stage] = (sums[stage] ?? 0) + took
  }
  const computed = Object.values(sums).reduce((sum, took) => sum + took, 0)
  const scale = computed > seconds ? seconds / computed : 1
  return Object.fromEntries(Object.entries(timings).map(([stage, took]) => {
    const ofParts = Math.min(took, sums[stage] ?? 0)
    return [stage, took - ofParts + ofParts * scale]
  })) as Timings
}
