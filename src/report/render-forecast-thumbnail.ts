import { standAloneSvg } from './chart/stand-alone-svg.ts'
import { checkForecastPlot } from './check-forecast-plot.ts'
import type { ForecastPlot } from './forecast-plot.ts'
import { describeSeries } from './plot/describe-series.ts'
import { ForecastChart, forecastDrawing } from './plot/forecast-chart.ts'
import { timeOf, timeTexts } from './plot/time-text.ts'
import { shownText } from './shown-text.ts'

/**
 * A drawing of the first series as a stand-alone SVG file, without script and without network access. Equal plots give
 * equal bytes.
 * @throws Error if the parts of the plot do not fit together
 */
export function renderForecastThumbnail (plot: ForecastPlot): string {
  const { axis, quantile_levels: levels, series: [first], target } = checkForecastPlot(plot)
  const times = axis.map(timeOf)
  return standAloneSvg({
    ...forecastDrawing(first === undefined ? null : new ForecastChart(first, times, levels)),
    title: first === undefined
      ? `Forecast of ${shownText(target, 60)}`
      : `${shownText(target, 30)}: ${shownText(first.item_id, 30)}`,
    description: first === undefined ? 'There is no series.' : describeSeries(first, levels, timeTexts(times))
  })
}
