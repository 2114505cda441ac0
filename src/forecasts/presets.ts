import { TabcastError } from '../errors.ts'
import type { Preset } from '../queue/messages.ts'

export const presetNames = ['fast', 'balanced', 'best'] as const satisfies readonly Preset[]
export const defaultPreset: Preset = 'balanced'

/** Names that clients of similar services use. */
const aliases = new Map<string, Preset>([
  ['fast_training', 'fast'], ['medium_quality', 'balanced'], ['high_quality', 'best'], ['best_quality', 'best']
])

/** Throws invalid_preset. */
export function resolvePreset (name: string): Preset {
  const preset = presetNames.find((known) => known === name) ?? aliases.get(name)
  if (preset === undefined) {
    throw new TabcastError('invalid_preset', 'No such preset.', { suggestion: `Use one of ${presetNames.join(', ')}.` })
  }
  return preset
}
