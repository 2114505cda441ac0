import type { Bar } from '../result.ts'

/** The gated presets: what each must reach in one measure. */
export type PresetBars = Partial<Record<'balanced' | 'best', { gate: Bar, aim: Bar }>>

export interface AccuracySet {
  /** As rows call it. */
  title: string
  /** Of the files NAME_train.parquet and NAME_test.parquet. */
  file: string
  horizon: number
  /** By which the competition scaled its errors, and which Naive2 and the peers are told. */
  season: number
  /** The models of statsforecast that are compared with. */
  peers: string[]
  /** Series drawn for the peers; 0 takes all. */
  sample: number
  /** OWA where Naive2 is 1, on all series. */
  owa: PresetBars
  /** OWA over that of SCUM, on the peers' series. */
  owaToScum: PresetBars
  /** Submit to completed, seconds. */
  seconds: PresetBars
}

/** The members of SCUM, the median of which is scored beside them. */
const scum = ['AutoETS', 'AutoCES', 'AutoARIMA', 'DynamicOptimizedTheta']

function atMost (gate: number, aim: number): { gate: Bar, aim: Bar } {
  return { gate: { atMost: gate }, aim: { atMost: aim } }
}

function within (share: number, gate: number, aim: number): { gate: Bar, aim: Bar } {
  return { gate: { atLeast: share - gate, atMost: share + gate }, aim: { atLeast: share - aim, atMost: share + aim } }
}

const closeToScum = { balanced: atMost(1, 0.97), best: atMost(0.985, 0.97) }

export const sets: AccuracySet[] = [
  {
    title: 'M4 yearly',
    file: 'm4_yearly',
    horizon: 6,
    season: 1,
    peers: ['AutoETS'],
    sample: 2000,
    owa: { balanced: atMost(0.803, 0.785), best: atMost(0.799, 0.785) },
    owaToScum: {},
    seconds: { balanced: atMost(60, 15) }
  },
  {
    title: 'M4 quarterly part',
    file: 'm4_quarterly',
    horizon: 8,
    season: 4,
    peers: scum,
    sample: 2000,
    owa: {},
    owaToScum: closeToScum,
    seconds: {}
  },
  {
    title: 'M4 monthly hold-out',
    file: 'm4_monthly_holdout',
    horizon: 18,
    season: 12,
    peers: scum,
    sample: 1000,
    owa: {},
    owaToScum: closeToScum,
    seconds: {}
  },
  {
    title: 'M4 weekly',
    file: 'm4_weekly',
    horizon: 13,
    season: 1,
    peers: ['AutoETS'],
    sample: 0,
    owa: { best: atMost(0.75, 0.69) },
    owaToScum: {},
    seconds: {}
  },
  {
    title: 'M4 hourly',
    file: 'm4_hourly',
    horizon: 48,
    season: 24,
    peers: ['AutoETS'],
    sample: 0,
    owa: { best: atMost(0.45, 0.4) },
    owaToScum: {},
    seconds: {}
  }
]

/** MSIS of the 95 % band over that of AutoETS, on the peers' series of every set. */
export const msisToAutoEts: PresetBars = { balanced: atMost(0.95, 0.8), best: atMost(0.9, 0.8) }

/** Percent of all observations inside the band, on every set. */
export const coverage: Record<80 | 95, PresetBars> = {
  80: { balanced: within(80, 3, 1), best: within(80, 3, 1) },
  95: { balanced: within(95, 2, 1), best: within(95, 2, 1) }
}
