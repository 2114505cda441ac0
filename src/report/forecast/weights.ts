import type { ForecastReport } from './forecast-report.ts'

/** Mean weights of the models over all series of tested kinds, 0 to 1, the greatest first. They sum to 1, or there are none. */
export function meanWeights ({ classes }: ForecastReport): Array<{ model: string, weight: number }> {
  const tested = classes.filter(({ leaderboard }) => leaderboard?.scores.some(({ weight }) => weight !== null) === true)
  const series = tested.reduce((total, one) => total + one.series, 0)
  const weights = new Map<string, number>()
  for (const { series: count, leaderboard } of tested) {
    for (const { model, weight } of leaderboard?.scores ?? []) {
      if (weight !== null && series > 0) weights.set(model, (weights.get(model) ?? 0) + weight * count / series)
    }
  }
  return [...weights].map(([model, weight]) => ({ model, weight })).sort((a, b) => b.weight - a.weight)
}
