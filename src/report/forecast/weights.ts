import type { ForecastReport } from './forecast-report.ts'

/**
 * Mean weights of the models over all series of tested kinds, 0 to 1, the greatest first. They sum to 1, or there are none: a
 * model that could forecast nothing left its weight to the others.
 */
export function meanWeights ({ classes }: ForecastReport): Array<{ model: string, weight: number }> {
  const tested = classes.flatMap(({ series, leaderboard }) => {
    const members = leaderboard?.scores.flatMap(({ model, weight, windows }) => weight === null || windows === 0 ? [] : [{ model, weight }]) ?? []
    const sum = members.reduce((total, { weight }) => total + weight, 0)
    return sum > 0 && series > 0 ? [{ series, members, sum }] : []
  })
  const all = tested.reduce((total, { series }) => total + series, 0)
  const weights = new Map<string, number>()
  for (const { series, members, sum } of tested) {
    for (const { model, weight } of members) weights.set(model, (weights.get(model) ?? 0) + weight / sum * (series / all))
  }
  return [...weights].map(([model, weight]) => ({ model, weight })).sort((a, b) => b.weight - a.weight)
}
