import { comparison, type Measurement } from '../result.ts'
import type { PanelSet } from './sets.ts'

export interface PanelScores {
  set: PanelSet
  mase: { with: number, without: number, theirs: number }
  /** Wall clock of all origins. */
  seconds: { with: number, without: number }
}

/** A row a set and comparison, and the means of their ratios, which have the gates. */
export function describeGlobal (
  { scores, origins, peer }: { scores: PanelScores[], origins: number, peer: string }
): Measurement[] {
  const mean = (ratio: (score: PanelScores) => number) =>
    scores.reduce((sum, score) => sum + ratio(score), 0) / scores.length
  const rows = scores.flatMap(({ set, mase, seconds }): Measurement[] => [
    comparison({
      what: `${set.title}, best: MASE`,
      figure: mase.with,
      unit: '',
      peer: { name: peer, figure: mase.theirs }
    }),
    comparison({
      what: `${set.title}, best: MASE`,
      figure: mase.with,
      unit: '',
      peer: { name: 'best without the models of all series', figure: mase.without }
    }),
    comparison({
      what: `${set.title}, best: a forecast`,
      figure: seconds.with / origins,
      unit: 's',
      peer: { name: 'best without the models of all series', figure: seconds.without / origins }
    })
  ])
  return [...rows, {
    what: `mean of the ratios of ${scores.length} sets: MASE of best over that of ${peer}`,
    figure: mean(({ mase }) => mase.with / mase.theirs),
    unit: '',
    gate: { atMost: 0.95 },
    aim: { atMost: 0.9 }
  }, {
    what:
      `mean of the ratios of ${scores.length} sets: MASE of best over that of best without the models of all series`,
    figure: mean(({ mase }) => mase.with / mase.without),
    unit: '',
    gate: { atMost: 0.97 },
    aim: { atMost: 0.9 }
  }]
}
