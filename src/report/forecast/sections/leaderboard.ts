import { dataTable } from '../../data-table.ts'
import { factList } from '../../fact-list.ts'
import { html, type Content, type Html } from '../../html.ts'
import { figureText, metricLabel, metricOf } from '../../metric-names.ts'
import { countOf, countText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { classLabel } from '../class-names.ts'
import type { ForecastLeaderboard, ForecastMetrics, ForecastReport, SeriesClass } from '../forecast-report.ts'
import { modelLabel, modelMeaning } from '../model-names.ts'
import { weightText } from '../weights.ts'

const metrics = ['mase', 'smape', 'wql', 'coverage_80', 'coverage_95'] as const satisfies ReadonlyArray<
  keyof ForecastMetrics
>
const heads: Record<typeof metrics[number], string> = {
  mase: 'MASE',
  smape: 'sMAPE',
  wql: 'WQL',
  coverage_80: 'Inside 80 %',
  coverage_95: 'Inside 95 %'
}

/** Every model on its own, the best first, one table per kind of series; null if nothing was tested. */
export function leaderboardSection ({ classes }: ForecastReport): Section | null {
  const tested = classes.filter(({ leaderboard }) => leaderboard !== undefined && leaderboard.scores.length > 0)
  if (tested.length === 0) return null
  return {
    id: 'leaderboard',
    title: 'Leaderboard',
    content:
      html`<p>What each model would have forecast for the parts that were held back, on its own; the smallest scaled error first. The forecast is made with the combination even if a single model comes first here, because the best model of one period is seldom the best of the next. A model's own intervals are not corrected, those of the combination are.</p>
${tested.map(classTable)}
<details><summary>What the words say</summary>
${
        factList([
          {
            name: 'Weight',
            value: 'How much a model counts in the combination. Not taken: the combination was better without it. ' +
              'Not applied: it could forecast none of the tests.'
          },
          ...metrics.map((name) => ({
            name: heads[name],
            value: html`${metricLabel(name)}. ${metricOf(name)?.meaning}`
          })),
          { name: modelLabel('baseline'), value: modelMeaning('baseline') }
        ])
      }
</details>`
  }
}

function classTable ({ class: name, series, leaderboard }: SeriesClass): Html | null {
  if (leaderboard === undefined) return null
  const head = ['Model', 'Weight', ...metrics.map((metric) => heads[metric]), 'Tests']
  return dataTable({
    caption: `${classLabel(name)}: ${countOf(series, 'series', 'series')}, ${countOf(leaderboard.windows, 'test')}`,
    head,
    rows: rowsOf(leaderboard),
    numbers: [...head.keys()].slice(1)
  })
}

/** The baseline is no member and comes last. */
function rowsOf ({ scores, baseline }: ForecastLeaderboard): Content[][] {
  return [
    ...scores.map((
      { model, weight, ...rest }
    ) => [model === 'combination' ? html`<strong>${modelLabel(model)}</strong>` : modelLabel(model),
      weight === null ? '' : weightText(weight, rest.windows > 0), ...figures(rest)]
    ),
    ...baseline === undefined ? [] : [[modelLabel('baseline'), '', ...figures(baseline)]]
  ]
}

function figures (score: ForecastMetrics & { windows: number }): string[] {
  return [...metrics.map((metric) => figureText(metric, score[metric])), countText(score.windows)]
}
