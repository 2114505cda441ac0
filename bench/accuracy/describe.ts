import type { Preset } from '../../src/domain/forecast-spec.ts'
import { namePeer } from '../peers/python.ts'
import { comparison, type Measurement } from '../result.ts'
import { coverage, msisToAutoEts, type AccuracySet, type PresetBars } from './sets.ts'

/** Of a reference method without bands the last three are missing. */
export interface Score {
  smape: number
  mase: number
  owa: number
  msis?: number
  coverage80?: number
  coverage95?: number
}
export interface ScoredSeries {
  series: number
  methods: Record<string, Score>
}
/** What score.py prints. */
export interface Report {
  all: ScoredSeries
  sample: ScoredSeries
}

/** The rows of one set and preset; `fast` has no gates. */
export function describe (set: AccuracySet, preset: Preset, { all, sample }: Report, seconds: number): Measurement[] {
  const on = (part: ScoredSeries) => `${set.title}, ${part.series.toLocaleString('en')} series, ${preset}`
  const bars = (table: PresetBars) => preset === 'fast' ? {} : table[preset] ?? {}
  const own = scoreOf(all, 'tabcast')
  const naive = scoreOf(all, 'seasonal_naive')
  const besides = (measure: 'smape' | 'mase' | 'owa') => ({ peer: { name: 'seasonal naive', figure: naive[measure] } })
  const rows: Measurement[] = [
    { what: `${on(all)}: OWA (Naive2 = 1)`, figure: own.owa, unit: '', ...besides('owa'), ...bars(set.owa) },
    { what: `${on(all)}: sMAPE`, figure: own.smape, unit: '%', ...besides('smape') },
    { what: `${on(all)}: MASE`, figure: own.mase, unit: '', ...besides('mase') },
    { what: `${on(all)}: MSIS of the 95 % band`, figure: bandScore(own, 'msis'), unit: '' },
    {
      what: `${on(all)}: inside the 80 % band`,
      figure: bandScore(own, 'coverage80'),
      unit: '%',
      ...bars(coverage[80])
    },
    {
      what: `${on(all)}: inside the 95 % band`,
      figure: bandScore(own, 'coverage95'),
      unit: '%',
      ...bars(coverage[95])
    },
    { what: `${on(all)}: submit to completed`, figure: seconds, unit: 's', ...bars(set.seconds) }
  ]
  const against = (name: string, measure: 'owa' | 'msis', what: string, table: PresetBars) =>
    comparison({
      what: `${on(sample)}: ${what}`,
      figure: bandScore(scoreOf(sample, 'tabcast'), measure),
      unit: '',
      peer: { name: `${namePeer('statsforecast')} ${name}`, figure: bandScore(scoreOf(sample, name), measure) },
      ...bars(table)
    })
  if ('SCUM' in sample.methods) rows.push(against('SCUM', 'owa', 'OWA, relative', set.owaToScum))
  rows.push(against('AutoETS', 'msis', 'MSIS of the 95 % band, relative', msisToAutoEts))
  return rows
}

function scoreOf (part: ScoredSeries, method: string): Score {
  const score = part.methods[method]
  if (score === undefined) throw new Error(`${method} was not scored`)
  return score
}

function bandScore (score: Score, measure: 'owa' | 'msis' | 'coverage80' | 'coverage95'): number {
  const value = score[measure]
  if (value === undefined || !Number.isFinite(value)) throw new Error(`the score has no finite ${measure}`)
  return value
}
