import type { Preset } from '../../src/domain/forecast-spec.ts'
import { comparison, type Measurement } from '../result.ts'
import { originsOf, type CovariateSet } from './sets.ts'

/** Means over the origins; seconds from submit to completed. */
export interface Score {
  mase: number
  wql: number
  seconds: number
}

/** MASE and WQL with and without covariates, what they gain, and what they cost. */
export function describeGain (set: CovariateSet, preset: Preset, informed: Score, plain: Score): Measurement[] {
  const on = `${set.title}, ${originsOf(set, preset).length} origins, ${preset}, ${set.known}`
  const against = (what: string, measure: keyof Score, unit = '') =>
    comparison({
      what: `${on}: ${what}`,
      figure: informed[measure],
      unit,
      peer: { name: `${preset} without them`, figure: plain[measure] }
    })
  return [
    {
      what: `${on}: MASE lower by`,
      figure: 100 * (1 - informed.mase / plain.mase),
      unit: '%',
      ...set.gain
    },
    against('MASE', 'mase'),
    against('WQL', 'wql'),
    against('submit to completed', 'seconds', 's')
  ]
}
