import { percentText } from '../number-text.ts'
import type { ForecastReport } from './forecast-report.ts'

export interface MeanWeight {
  model: string
  weight: number
  /** Whether it could forecast any of the held-back windows. */
  isTested: boolean
}

/**
 * Mean weights of the models over all series of kinds that have weights, from 0 to 1, the largest first; taken from the
 * leaderboard.
 */
export function meanWeights ({ classes }: ForecastReport): MeanWeight[] {
  const weighed = classes.flatMap(({ series, leaderboard }) => {
    const members =
      leaderboard?.scores.flatMap(({ model, weight, windows }) =>
        weight === null ? [] : [{ model, weight, isTested: windows > 0 }]
      ) ?? []
    return series > 0 && members.some(({ weight }) => weight > 0) ? [{ series, members }] : []
  })
  const all = weighed.reduce((total, { series }) => total + series, 0)
  const found = new Map<string, MeanWeight>()
  for (const { series, members } of weighed) {
    for (const { model, weight, isTested } of members) {
      const before = found.get(model)
      found.set(model, {
        model,
        weight: (before?.weight ?? 0) + weight * (series / all),
        isTested: isTested || before?.isTested === true
      })
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight)
}

/** `32.2 %`, `40.9 %, not backtested`, `not taken`. */
export function weightText (weight: number, isTested: boolean): string {
  if (weight === 0) return isTested ? 'not taken' : 'not applied'
  return isTested ? percentText(weight) : `${percentText(weight)}, not backtested`
}
