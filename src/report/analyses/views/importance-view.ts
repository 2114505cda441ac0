import { renderCharts } from '../../chart/chart.ts'
import { arranged, headed } from '../../chart/layout.ts'
import { factList } from '../../fact-list.ts'
import { html, type Html } from '../../html.ts'
import { countText, numberText, percentText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { Importance } from '../analyses-document.ts'
import { importanceBars } from '../charts/importance-bars.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText } from '../markdown.ts'
import { inQuotes } from '../quotes.ts'
import type { AnalysisView } from '../outcome.ts'
import type { Subject } from '../subject.ts'
import { fidelityMeaning, surrogateText } from '../surrogate-text.ts'

/** Bars of groups and of single features. */
export function importanceView (importance: Importance, subject: Subject, topFeatures: number): AnalysisView {
  const { features, groups } = importance
  const common = { result: subject.result, mostBars: topFeatures }
  const merged = importanceBars({ ...common, id: 'merged', title: 'Groups of features', kind: 'group', all: groups })
  const single = importanceBars({ ...common, id: 'single', title: 'Single features', kind: 'feature', all: features })
  const charts = groups.length === 0 ? [single] : [merged, single]
  return {
    title: 'Feature importance',
    highlights: highlightsOf(importance, subject),
    sections: [
      { id: 'importance', title: `What ${subject.explained} goes with`, content: renderCharts(charts) },
      { id: 'trust', title: 'How far to trust it', content: howFarToTrust(importance, subject) }
    ],
    drawing: {
      ...arranged(charts.map((chart) => headed(chart.title, chart)), 1, 18),
      description: charts.map(({ title, description }) => `${title}. ${description}`).join(' ')
    },
    preview: markdownTable(['Feature', 'Share', 'Importance', 'Direction'], features.map((
      { feature, share, importance, direction }
    ) => [
      markdownText(feature),
      percentText(share),
      figureText(importance),
      direction ?? 'no one direction'
    ]))
  }
}

function howFarToTrust (importance: Importance, subject: Subject): Html {
  const { fidelity, left_out: left } = importance
  const meaning = fidelityMeaning(fidelity, subject)
  const names = left.slice(0, 50).map((name, index) => html`${index > 0 ? ', ' : null}${named(name)}`)
  return html`${meaning === null ? null : html`<p>${meaning}</p>`}
${
    factList([
      { name: 'Rows', value: countText(importance.rows) },
      { name: 'Rows explained', value: countText(importance.explained_rows) },
      { name: 'Fidelity (R²)', value: numberText(fidelity?.r2 ?? null) },
      { name: 'Fidelity, error', value: numberText(fidelity?.nrmse ?? null) },
      ...subject.isTable
        ? []
        : [{ name: 'Series reproduced well', value: percentText(fidelity?.series_above ?? null) }],
      { name: 'R² against actual values', value: numberText(fidelity?.accuracy_r2 ?? null) },
      { name: 'Largest error of the sum', value: numberText(importance.max_additivity_error) }
    ])
  }
<p>Importance is the mean size of a feature’s contributions. Two features that say the same share it.
The loss of fit is that of the surrogate when the values of a feature are shuffled.</p>
${left.length === 0 ? null : html`<p>Left out: ${names}${left.length > 50 ? ' and others' : null}.</p>`}`
}

function highlightsOf (importance: Importance, subject: Subject): string[] {
  const [first, second, third] = importance.features
  const group = importance.groups[0]
  const others = [second, third].flatMap(
    (one) => one === undefined ? [] : [`${inQuotes(one.feature)} (${percentText(one.share)})`]
  )
  const followers = others.length === 0 ? '' : `, followed by ${others.join(' and ')}`
  return [
    first === undefined
      ? 'No feature has an importance.'
      : `${inQuotes(first.feature)} has the largest share of the importance, ${percentText(first.share)}${followers}.`,
    ...group === undefined
      ? []
      : [`Of the groups of features, ${inQuotes(group.feature)} has the largest share, ${percentText(group.share)}.`],
    surrogateText(importance, subject)
  ]
}
