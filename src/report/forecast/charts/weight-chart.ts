import { barsHeight, barsWidth, renderBars } from '../../charts/bars.ts'
import { renderChart } from '../../charts/chart.ts'
import type { Html } from '../../html.ts'
import { percentText } from '../../number-text.ts'
import { modelLabel, modelMeaning } from '../model-names.ts'

/** What each model counts for; the table says how it forecasts. */
export function weightChart (weights: ReadonlyArray<{ model: string, weight: number }>): Html {
  const drawn = weights.filter(({ weight }) => weight > 0)
  const most = Math.max(...drawn.map(({ weight }) => weight), 1e-9)
  const [first] = drawn
  return renderChart({
    id: 'weights',
    title: 'What each model counts for',
    description: `Mean weights over all series that were tested; the longest bar counts most${first === undefined ? '' : `: ${modelLabel(first.model)} (${percentText(first.weight)})`}.`,
    width: barsWidth,
    height: barsHeight(drawn.length),
    marks: renderBars(drawn.map(({ model, weight }) => ({ label: modelLabel(model), value: percentText(weight), share: weight / most }))),
    table: {
      caption: 'Mean weights of the models',
      head: ['Model', 'Weight', 'How it forecasts'],
      rows: weights.map(({ model, weight }) => [modelLabel(model), weight === 0 ? 'not taken' : percentText(weight), modelMeaning(model)]),
      numbers: [1]
    }
  })
}
