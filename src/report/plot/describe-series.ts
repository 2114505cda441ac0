import type { Figure, PlotSeries } from '../forecast-plot.ts'
import { countOf, numberText } from '../number-text.ts'
import { partsOfLevels } from './bands.ts'

/** The content of a series' drawing, for screen readers. */
export function describeSeries ({ from, history, mean, quantiles, backtest }: PlotSeries, levels: readonly number[],
  times: (index: number) => string): string {
  const start = from + history.length
  const sentences: string[] = []
  const known = history.filter((figure) => figure !== null)
  if (history.length === 0) sentences.push('There is no history.')
  else {
    const missing = history.length - known.length
    sentences.push(
      `History of ${countOf(history.length, 'step')}, ${times(from)} to ${times(start - 1)}${
        known.length === 0 ? '' : `, ${span(known)}`
      }${missing === 0 ? '' : `; ${countOf(missing, 'value')} missing`}.`
    )
  }
  if (mean.length === 0) return [...sentences, 'There is no forecast.'].join(' ')
  sentences.push(
    `Forecast of ${countOf(mean.length, 'step')}, ${times(start)} to ${times(start + mean.length - 1)}, mean ${
      span(mean)
    }.`
  )
  const widest = partsOfLevels(levels).bands[0]
  if (widest !== undefined) {
    const last = mean.length - 1
    sentences.push(
      `At its last step the ${widest.coverage} band is ${numberText(quantiles[widest.low]?.[last] ?? null)} to ${
        numberText(quantiles[widest.high]?.[last] ?? null)
      }.`
    )
  }
  if (backtest !== null && backtest.mean.length > 0) {
    sentences.push(
      `The backtest forecast ${countOf(backtest.mean.length, 'step')} of the history from ${times(backtest.from)}.`
    )
  }
  return sentences.join(' ')
}

function span (figures: readonly Figure[]): string {
  let [low, high] = [Infinity, -Infinity]
  for (const figure of figures) {
    if (figure === null) continue
    low = Math.min(low, figure)
    high = Math.max(high, figure)
  }
  if (low > high) return 'without a value'
  return low === high ? numberText(low) : `${numberText(low)} to ${numberText(high)}`
}
