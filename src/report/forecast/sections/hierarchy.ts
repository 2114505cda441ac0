import { dataTable } from '../../data-table.ts'
import { factList, type Fact } from '../../fact-list.ts'
import { html } from '../../html.ts'
import { plainName } from '../../metric-names.ts'
import { countText, numberText, percentText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { named, shownText } from '../../shown-text.ts'
import type { ForecastFacts, HierarchyFacts } from '../forecast-report.ts'

/** How the levels of the hierarchy were reconciled; null without a hierarchy. */
export function hierarchySection ({ reconciliation }: ForecastFacts): Section | null {
  if (reconciliation === undefined) return null
  const { levels, warnings, fallback } = reconciliation
  return {
    id: 'hierarchy',
    title: 'The hierarchy',
    content:
      html`<p>All series and all sums were forecast. Then the forecasts were changed so that means add up over the whole hierarchy; quantiles do not add up by nature.</p>
${
        fallback === undefined
          ? null
          : html`<p>${shortName(fallback.from)} was not possible, so that ${
            shortName(fallback.to).toLowerCase()
          } was used: ${shownText(fallback.reason, 300)}</p>`
      }
${
        dataTable({
          caption: 'Levels',
          head: ['Level', 'Series'],
          rows: levels.map(({ name, numNodes }) => [named(name), countText(numNodes)]),
          numbers: [1]
        })
      }
${factList(facts(reconciliation))}
${warnings.length === 0 ? null : html`<ul>${warnings.map((text) => html`<li>${shownText(text, 400)}</li>`)}</ul>`}`
  }
}

const methods: Record<string, string> = {
  bottom_up: 'Bottom up: sums are those of the series below them',
  top_down: 'Top down: the grand total is divided',
  min_trace: 'Minimum trace: all levels give way, the surest ones least'
}

const weightings: Record<string, string> = {
  ols: 'All series alike',
  wls_struct: 'By the number of series below',
  wls_var: 'By the errors of each series in the tests',
  shrink: 'By the errors of all series together in the tests, drawn to those of each'
}
const divisions: Record<string, string> = {
  proportions_of_historical_totals: 'By shares of the history’s totals',
  average_historical_proportions: 'By mean shares of the history’s steps',
  forecast_proportions: 'By shares of the forecasts'
}

/** The words before a colon, for use within a sentence. */
const shortName = (method: string): string => textOf(methods, method).replace(/:.*/, '')

function textOf (texts: Record<string, string>, name: string): string {
  return Object.hasOwn(texts, name) ? texts[name] ?? '' : plainName(name)
}

function facts (
  { method, weights, topDownMethod, shrinkage, residualWindowsUsed, maxIncoherenceBefore, maxIncoherenceAfter }:
    HierarchyFacts
): Fact[] {
  return [
    { name: 'Method', value: textOf(methods, method) },
    ...weights === undefined ? [] : [{ name: 'Weights', value: textOf(weightings, weights) }],
    ...topDownMethod === undefined ? [] : [{ name: 'Division', value: textOf(divisions, topDownMethod) }],
    ...residualWindowsUsed === 0 ? [] : [{ name: 'Tests for the weights', value: countText(residualWindowsUsed) }],
    ...shrinkage === undefined ? [] : [{ name: 'Shrinkage', value: percentText(shrinkage) }],
    { name: 'Largest gap before', value: numberText(maxIncoherenceBefore) },
    { name: 'Largest gap after', value: numberText(maxIncoherenceAfter) }
  ]
}
