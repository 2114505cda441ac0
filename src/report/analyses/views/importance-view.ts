import { renderChart, type Chart } from '../../charts/chart.ts'
import { factList } from '../../fact-list.ts'
import { html } from '../../html.ts'
import { countText, numberText, percentText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { Importance } from '../analyses-document.ts'
import { renderAnalysisPage, renderLead } from '../analysis-page.ts'
import { importanceBars } from '../charts/importance-bars.ts'
import { figureText } from '../figure-text.ts'
import { markdownTable, markdownText, quoted } from '../markdown.ts'
import type { AnalysisView } from '../outcome.ts'
import { standAloneSvg } from '../stand-alone-svg.ts'
import type { Subject } from '../subject.ts'
import { fidelityMeaning, surrogateText } from '../surrogate-text.ts'

const title = 'Feature importance'

/** Bars of groups and of single features. */
export function importanceView (importance: Importance, subject: Subject, topFeatures: number): AnalysisView {
  const { features, groups, fidelity } = importance
  const single = importanceBars({ id: 'single', title: 'Single features', kind: 'feature', result: subject.result, all: features, mostBars: topFeatures })
  const merged = importanceBars({ id: 'merged', title: 'Groups of features', kind: 'group', result: subject.result, all: groups, mostBars: topFeatures })
  const highlights = highlightsOf(importance, subject)
  const meaning = fidelityMeaning(fidelity, subject)
  return {
    html: renderAnalysisPage({
      title,
      subject,
      lead: renderLead(highlights),
      sections: [
        { id: 'importance', title: `What ${subject.explained} goes with`, content: html`<div class="panels">${groups.length === 0 ? null : renderChart(merged)}${renderChart(single)}</div>` },
        {
          id: 'trust',
          title: 'How far to trust it',
          content: html`${meaning === null ? null : html`<p>${meaning}</p>`}
${factList([
  { name: 'Rows', value: countText(importance.rows) },
  { name: 'Rows explained', value: countText(importance.explained_rows) },
  { name: 'Fidelity (R²)', value: numberText(fidelity?.r2 ?? null) },
  { name: 'Fidelity, error', value: numberText(fidelity?.nrmse ?? null) },
  ...subject.isTable ? [] : [{ name: 'Series reproduced well', value: percentText(fidelity?.series_above ?? null) }],
  { name: 'R² against actual values', value: numberText(fidelity?.accuracy_r2 ?? null) },
  { name: 'Largest error of the sum', value: numberText(importance.max_additivity_error) }
])}
<p>Importance is the mean size of a feature’s contributions. Two features that say the same share it. The loss of fit is that of the surrogate when the values of a feature are shuffled.</p>
${importance.left_out.length === 0 ? null : html`<p>Left out: ${importance.left_out.slice(0, 50).map((name, index) => html`${index > 0 ? ', ' : null}${named(name)}`)}${importance.left_out.length > 50 ? ' and others' : null}.</p>`}`
        }
      ]
    }),
    svg: standAloneSvg({ ...stacked(groups.length === 0 ? [single] : [merged, single]), title: `${title}: ${subject.target}` }),
    preview: markdownTable(['Feature', 'Share', 'Importance', 'Direction'], features.map(({ feature, share, importance, direction }) => [
      markdownText(feature), percentText(share), figureText(importance), direction ?? 'no one direction'
    ])),
    highlights
  }
}

/** Charts under each other, each under its title. */
function stacked (charts: readonly Chart[]) {
  let height = 0
  const marks = charts.map((chart) => {
    const y = height
    height += chart.height + 38
    return html`<g transform="translate(0 ${y})"><text class="soft" x="0" y="12" aria-hidden="true">${chart.title}</text>
<g transform="translate(0 20)">${chart.marks}</g></g>
`
  })
  return { width: 360, height, marks: html`${marks}`, description: charts.map(({ title, description }) => `${title}. ${description}`).join(' ') }
}

function highlightsOf (importance: Importance, subject: Subject): string[] {
  const [first, second, third] = importance.features
  const group = importance.groups[0]
  const others = [second, third].flatMap((one) => one === undefined ? [] : [`${quoted(one.feature)} (${percentText(one.share)})`])
  return [
    first === undefined
      ? 'No feature has an importance.'
      : `${quoted(first.feature)} has the largest share of the importance, ${percentText(first.share)}${others.length === 0 ? '' : `, followed by ${others.join(' and ')}`}.`,
    ...group === undefined ? [] : [`Of the groups of features, ${quoted(group.feature)} has the largest share, ${percentText(group.share)}.`],
    surrogateText(importance, subject)
  ]
}
