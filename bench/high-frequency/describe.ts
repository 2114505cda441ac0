import type { Preset } from '../../src/domain/forecast-spec.ts'
import type { Bar, Measurement } from '../result.ts'

export interface TaskScore {
  name: string
  /** MASE of the median, and the mean weighted sum quantile loss over .1 to .9. */
  mase: number
  crps: number
  /** The share of actual values in the central 80 % band, in each third of the horizon. */
  covered: [number, number, number]
  windows: number
  /** Processor time of all forecasts. */
  cpuSeconds: number
  /** MASE and CRPS of published models. */
  published: Map<string, [number, number]>
}

const naive = 'seasonal_naive'
/** Pretrained networks, one of them small, and a statistical method. */
const peers = ['TiRex', 'Toto-2.0-4m', 'FLAIR']
const bars: Partial<Record<Preset, { mase: [Bar, Bar], crps: [Bar, Bar] }>> = {
  balanced: { mase: [{ atMost: 0.66 }, { atMost: 0.6 }], crps: [{ atMost: 0.37 }, { atMost: 0.32 }] },
  best: { mase: [{ atMost: 0.63 }, { atMost: 0.58 }], crps: [{ atMost: 0.35 }, { atMost: 0.31 }] }
}
const bandGate: Bar = { atLeast: 0.72, atMost: 0.88 }
const bandAim: Bar = { atLeast: 0.77, atMost: 0.83 }
const thirds = ['first', 'second', 'last']

export function describe (preset: Preset, scores: readonly TaskScore[]): Measurement[] {
  const windows = scores.reduce((sum, score) => sum + score.windows, 0)
  const what = `${scores.length} tasks of GIFT-Eval, ${windows} windows, ${preset}`
  const of = (measure: 'mase' | 'crps', place: 0 | 1): Measurement[] => {
    const figure = relative(scores, (score) => score[measure], place)
    const [gate, aim] = bars[preset]?.[measure] ?? []
    return peers.map((name, at) => ({
      what: `${what}: ${measure === 'mase' ? 'MASE' : 'CRPS'} relative to that of ${naive}, geometric mean`,
      figure,
      unit: '',
      peer: { name, figure: relative(scores, ({ published }) => published.get(name)?.[place], place) },
      ...at === 0 && gate !== undefined && aim !== undefined && { gate, aim }
    }))
  }
  return [
    ...of('mase', 0),
    ...of('crps', 1),
    ...frequencies(scores).flatMap((freq) =>
      bands(preset, freq, scores.filter(({ name }) => frequencyOf(name) === freq))
    ),
    {
      what: `${what}: all of it`,
      figure: scores.reduce((sum, score) => sum + score.cpuSeconds, 0),
      unit: 'CPU s'
    }
  ]
}

/** The geometric mean over the tasks of a measure, relative to that of the seasonal naive forecast. */
function relative (scores: readonly TaskScore[], measure: (score: TaskScore) => number | undefined,
  place: 0 | 1): number {
  const logs = scores.map((score) => {
    const [value, base] = [measure(score), score.published.get(naive)?.[place]]
    if (value === undefined || base === undefined) throw new Error(`${score.name} lacks a published result`)
    return Math.log(value / base)
  })
  return Math.exp(logs.reduce((sum, log) => sum + log) / logs.length)
}

function bands (preset: Preset, freq: string, scores: readonly TaskScore[]): Measurement[] {
  return thirds.map((third, at) => ({
    what: `steps of ${freq}, ${scores.length} tasks, ${preset}: 80 % band, ${third} third of the horizon`,
    figure: scores.reduce((sum, { covered }) => sum + (covered[at] ?? 0), 0) / scores.length,
    unit: 'covered',
    gate: bandGate,
    aim: bandAim
  }))
}

function frequencies (scores: readonly TaskScore[]): string[] {
  return [...new Set(scores.map(({ name }) => frequencyOf(name)))]
}

function frequencyOf (name: string): string {
  return name.split('/')[1] ?? ''
}
