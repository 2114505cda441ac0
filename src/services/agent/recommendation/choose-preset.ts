import type { Preset } from '../../../domain/forecast-spec.ts'

/** Seconds that a caller is taken to wait gladly for the more accurate forecast, nine times of ten. */
const patience: ReadonlyArray<{ preset: Preset, seconds: number }> = [{ preset: 'best', seconds: 60 }, {
  preset: 'balanced',
  seconds: 600
}]

/** The most accurate preset that takes no longer than is bearable on this deployment. */
export function choosePreset (p90Seconds: (preset: Preset) => number): Preset {
  return patience.find(({ preset, seconds }) => p90Seconds(preset) <= seconds)?.preset ?? 'fast'
}
