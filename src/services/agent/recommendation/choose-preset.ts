import type { Preset } from '../../../domain/forecast-spec.ts'

/** How many seconds the forecast of each preset may take in nine of ten cases. */
const patience: ReadonlyArray<{ preset: Preset, seconds: number }> = [{ preset: 'best', seconds: 60 }, {
  preset: 'balanced',
  seconds: 600
}]

/** Chooses the most accurate preset that is fast enough on this deployment. */
export function choosePreset (p90Seconds: (preset: Preset) => number): Preset {
  return patience.find(({ preset, seconds }) => p90Seconds(preset) <= seconds)?.preset ?? 'fast'
}
