import { renderCharts } from '../chart/chart.ts'
import { importanceChart } from '../charts/importance-chart.ts'
import { html } from '../html.ts'
import { numberText, percentText } from '../number-text.ts'
import type { Section } from '../section.ts'
import type { ReportExplanation, TabularReport } from '../tabular-report.ts'

/** Which columns the predictions depend on, and how certain that is. */
export function influenceSection ({ importance, explanation }: TabularReport): Section {
  return {
    id: 'influence',
    title: 'What the predictions depend on',
    content: importance.length === 0
      ? html`<p>How much each column matters is not known for this model:
nothing was found that explains its predictions.</p>`
      : html`${renderCharts([importanceChart(importance)])}
<p>${howSure(explanation)}</p>`
  }
}

function howSure (
  { exact_share: exact, surrogate_fidelity: fidelity, max_additivity_error: error }: ReportExplanation
): string {
  const followed = percentText(fidelity === null ? null : Math.max(fidelity, 0))
  const copy = `a model of trees that follows it in ${followed} of its variation`
  const isWhole = exact > 1 - 1e-9
  const rest = isWhole ? '' : '; the rest is not explained'
  const method = isWhole || fidelity === null
    ? `exact Shapley values of ${percentText(isWhole ? 1 : exact)} of the model${rest}`
    : exact > 0
    ? `exact Shapley values of ${percentText(exact)} of the model; for the rest they come from ${copy}`
    : `not the model's own: they are Shapley values of ${copy}`
  return `The shares are ${method}. They add up to the predictions within ${numberText(error)}. ` +
    'They are associations, not causes.'
}
