import type { Chart } from '../../chart/chart.ts'
import { isDrawable } from '../../chart/drawable.ts'
import { labelText } from '../../chart/label-text.ts'
import { shareBars } from '../../chart/layout.ts'
import { countOf, numberText, percentText } from '../../number-text.ts'
import { named } from '../../shown-text.ts'
import type { FeatureImportance } from '../analyses-document.ts'
import { inQuotes } from '../quotes.ts'
import type { Subject } from '../subject.ts'

const directions = {
  rising: { look: 'warm', sign: '▲', text: 'rising' },
  falling: { look: 'accent', sign: '▼', text: 'falling' },
  none: { look: 'soft', sign: '◆', text: 'no one direction' }
} as const

export interface ImportanceBars {
  /** The id of the chart in the page. */
  id: string
  title: string
  /** The thing that a bar stands for. */
  kind: 'feature' | 'group'
  /** The word for the result that a feature raises or lowers. */
  result: Subject['result']
  all: readonly FeatureImportance[]
  mostBars: number
}

/** Shares as bars, with the direction in which the result moves with the feature. */
export function importanceBars ({ id, title, kind, result, all, mostBars }: ImportanceBars): Chart {
  const drawn = all.slice(0, mostBars)
  const most = Math.max(1e-9, ...drawn.map(({ share }) => isDrawable(share) ? share : 0))
  const bars = drawn.map(({ feature, share, direction }) => {
    const { look, sign } = directions[direction ?? 'none']
    return {
      label: labelText(feature, 250),
      value: `${percentText(share)} ${sign}`,
      share: isDrawable(share) ? share / most : 0,
      look
    }
  })
  return {
    id,
    title,
    description: describe(drawn, all.length, kind, result),
    ...shareBars(bars),
    table: {
      caption: `Importance by ${kind}`,
      head: [
        kind === 'feature' ? 'Feature' : 'Group',
        'Rank',
        'Share',
        'Importance',
        'Direction',
        'Loss of fit when shuffled',
        'Its standard deviation'
      ],
      rows: all.map((one) => [
        named(one.feature, 200),
        one.rank,
        percentText(one.share),
        numberText(one.importance),
        directions[one.direction ?? 'none'].text,
        numberText(one.permutation_drop),
        numberText(one.permutation_sd)
      ]),
      numbers: [1, 2, 3, 5, 6]
    }
  }
}

function describe (
  drawn: readonly FeatureImportance[],
  count: number,
  kind: 'feature' | 'group',
  result: string
): string {
  if (drawn.length === 0) return `There is no ${kind}.`
  const first = drawn.slice(0, 3).map(({ feature, share }) => `${inQuotes(feature)} (${percentText(share)})`).join(', ')
  const rest = count > drawn.length ? ` The first ${drawn.length} of ${countOf(count, kind)} are drawn.` : ''
  return `Shares of the importance; first ${drawn.length === 1 ? 'comes' : 'come'} ${first}. ` +
    `▲ orange: higher values go with a higher ${result}; ▼ blue: with a lower one; ◆ grey: neither.${rest}`
}
