import type { Chart } from '../../chart/chart.ts'
import { shareBars } from '../../chart/layout.ts'
import { percentText } from '../../number-text.ts'
import { modelLabel, modelMeaning } from '../model-names.ts'
import { weightText, type MeanWeight } from '../weights.ts'

/** The weight of each model; the table says how it forecasts. */
export function weightChart (weights: readonly MeanWeight[]): Chart {
  const drawn = weights.filter(({ weight }) => weight > 0)
  const most = Math.max(...drawn.map(({ weight }) => weight), 1e-9)
  const [first] = drawn
  const heaviest = first === undefined ? '' : `: ${modelLabel(first.model)} (${percentText(first.weight)})`
  return {
    id: 'weights',
    title: 'What each model counts for',
    description: `Mean weights over all series of kinds that were tested; the longest bar counts most${heaviest}.`,
    ...shareBars(drawn.map(({ model, weight, isTested }) => ({
      label: isTested
        ? modelLabel(model)
        : `${modelLabel(model)} (not backtested)`,
      value: percentText(weight),
      share: weight / most
    }))),
    table: {
      caption: 'Mean weights of the models',
      head: ['Model', 'Weight', 'How it forecasts'],
      rows: weights.map(
        ({ model, weight, isTested }) => [modelLabel(model), weightText(weight, isTested), modelMeaning(model)]
      ),
      numbers: [1]
    }
  }
}
