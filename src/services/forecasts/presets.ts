import type { Preset } from '../../domain/forecast-spec.ts'
import { TabcastError } from '../../platform/errors.ts'

export const presetNames = ['fast', 'balanced', 'best'] as const satisfies readonly Preset[]
export const defaultPreset: Preset = 'balanced'

/** Names that clients of similar services use. */
const aliases = new Map<string, Preset>([
  ['fast_training', 'fast'],
  ['medium_quality', 'balanced'],
  ['high_quality', 'best'],
  ['best_quality', 'best']
])

/** undefined: there is none of this name. */
export function presetCalled (name: string): Preset | undefined {
  return presetNames.find((known) => known === name) ?? aliases.get(name)
}

/** Throws invalid_preset. */
export function resolvePreset (name: string): Preset {
  const preset = presetCalled(name)
  if (preset === undefined) throw noSuchPreset()
  return preset
}

/** Of an unknown preset, an unknown model, and a model of another tenant alike. */
export function noSuchPreset (): TabcastError {
  return new TabcastError('invalid_preset', 'No such preset.', {
    suggestion: `Use one of ${presetNames.join(', ')}, or ft: and the id of a model of yours.`
  })
}

/** A model is trained from data, not from another model. */
export function noSuchBasePreset (): TabcastError {
  return new TabcastError('invalid_preset', 'No such base preset.', {
    suggestion: `Use one of ${presetNames.join(', ')}.`
  })
}
