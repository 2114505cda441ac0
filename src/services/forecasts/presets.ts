import type { Preset } from '../../domain/forecast-spec.ts'
import { TabcastError } from '../../platform/errors.ts'

export const presetNames = ['fast', 'balanced', 'best'] as const satisfies readonly Preset[]
export const defaultPreset: Preset = 'balanced'

/** Names that similar services use. */
const aliases = new Map<string, Preset>([
  ['fast_training', 'fast'],
  ['medium_quality', 'balanced'],
  ['high_quality', 'best'],
  ['best_quality', 'best']
])

/** undefined when no preset has this name. */
export function presetCalled (name: string): Preset | undefined {
  return presetNames.find((known) => known === name) ?? aliases.get(name)
}

/** Throws invalid_preset. */
export function resolvePreset (name: string): Preset {
  const preset = presetCalled(name)
  if (preset === undefined) throw noSuchPreset()
  return preset
}

/** One error for an unknown preset, an unknown model, and a model of another tenant. */
export function noSuchPreset (): TabcastError {
  return new TabcastError('invalid_preset', 'No such preset.', {
    suggestion: `Use one of ${presetNames.join(', ')}, or ft: and the id of a model of yours.`
  })
}

/** A training needs a real preset, because a model is not trained from another model. */
export function noSuchBasePreset (): TabcastError {
  return new TabcastError('invalid_preset', 'No such base preset.', {
    suggestion: `Use one of ${presetNames.join(', ')}.`
  })
}
