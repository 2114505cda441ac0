import { importanceChart } from '../charts/importance-chart.ts'
import { html } from '../html.ts'
import { numberText, percentText } from '../number-text.ts'
import type { Section } from '../section.ts'
import type { ReportExplanation, TabularReport } from '../tabular-report.ts'

/** Which columns the predictions depend on, and how sure that is. */
export function influenceSection ({ importance, explanation }: TabularReport): Section | null {
  if (importance.length === 0) return null
  return {
    id: 'influence',
    title: 'What the predictions depend on',
    content: html`<div class="charts"><div class="panel">${importanceChart(importance)}</div></div>
<p>${howSure(explanation)}</p>`
  }
}

function howSure ({ exact_share: exact, surrogate_fidelity: fidelity, max_additivity_error: error }: ReportExplanation): string {
  const copy = `a model of trees that follows it in ${percentText(fidelity)} of its variation`
  const method = exact >= 1 || fidelity === null
    ? `exact Shapley values of ${percentText(exact)} of the model`
    : exact > 0 ? `exact Shapley values of ${percentText(exact)} of the model; for the rest they come from ${copy}` : `not the model's own: they are Shapley values of ${copy}`
  return `The shares are ${method}. They add up to the predictions within ${numberText(error)}. They are associations, not causes.`
}
