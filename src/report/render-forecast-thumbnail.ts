import { forecastChartSize, forecastMarks } from './charts/forecast-chart.ts'
import { checkForecastPlot } from './check-forecast-plot.ts'
import type { ForecastPlot } from './forecast-plot.ts'
import { html } from './html.ts'
import { describeSeries } from './plot/describe-series.ts'
import { timeOf, timeTexts } from './plot/time-text.ts'
import { shownText } from './shown-text.ts'

/** The same drawing in the dark; a page that shows it as an image passes its colour scheme on. */
const style = '@media (prefers-color-scheme: dark) { .page { fill: #14181d; } .grid { stroke: #3a424b; } .title, .history { fill: #e6e9ec; } .history { fill: none; stroke: #e6e9ec; } .ticks { fill: #a3acb6; } .start { stroke: #a3acb6; } .band { fill: #56b4e9; } .mean, .median, .quantile { stroke: #56b4e9; } .backtest-band { fill: #ffa14d; } .backtest { stroke: #ffa14d; } }'

/**
 * A drawing of the first series as an SVG file of its own, without script and without anything from a network. Equal plots give equal bytes.
 *
 * @throws Error when the parts of the plot do not fit together
 */
export function renderForecastThumbnail (plot: ForecastPlot): string {
  const { axis, quantile_levels: levels, series: [first], target } = checkForecastPlot(plot)
  const { width, height } = forecastChartSize
  const times = axis.map(timeOf)
  const title = first === undefined ? `Forecast of ${shownText(target, 60)}` : `${shownText(target, 30)}: ${shownText(first.item_id, 30)}`
  const marks = first === undefined ? null : forecastMarks(first, times, levels)
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" viewBox="0 0 ${width} ${height + 24}" width="${width}" height="${height + 24}" font-family="system-ui, sans-serif" font-size="11">
<title id="title">${title}</title>
<desc id="description">${first === undefined ? 'There is no series.' : describeSeries(first, levels, timeTexts(times))}</desc>
<style>${style}</style>
<rect class="page" width="${width}" height="${height + 24}" fill="#ffffff"/>
<text class="title" x="12" y="19" font-size="13" font-weight="600" fill="#1b1f24">${title}</text>
<g transform="translate(0 24)">
${marks ?? html`<text class="ticks" x="${width / 2}" y="${height / 2}" text-anchor="middle" fill="#57606a">nothing to draw</text>`}
</g>
</svg>
`.toString()
}
