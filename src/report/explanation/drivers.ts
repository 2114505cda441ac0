import type { Scene } from './scene.ts'
import { named, number, say, share, size, words, type Part, type Sentence } from './sentence.ts'

/** Groups of features with a smaller share are not named. */
const leastShare = 0.1
const most = 3
/** If sums differ less from their parts, as a share of the total, the difference is not mentioned. */
const leastIncoherence = 0.01

/** The drivers of the forecast, according to the surrogate of its analyses. */
export function drivers (scene: Scene): Sentence[] {
  const groups = (scene.drivers?.groups ?? []).filter((group) => group.share >= leastShare).slice(0, most)
  const first = groups[0]
  if (scene.drivers === null || first === undefined) return []
  const { r2, label } = scene.drivers.fidelity
  const list = groups.map((group,
    index): Part => [separator(index, groups.length), named(`driver_${index + 1}`, group.feature), ' (',
    share(`share_${index + 1}`, group.share), ')']
  )
  return [
    say('drivers', first.share)`The forecast goes most with ${list}, by a surrogate of ${
      words('fidelity', label)
    } fidelity (R² ${number('r2', r2)}).`
  ]
}

function separator (index: number, count: number): string {
  if (index === 0) return ''
  return index === count - 1 ? ' and ' : ', '
}

/** How far the forecasts of a hierarchy had to move to add up. */
export function coherence ({ incoherence, main, isPanel }: Scene): Sentence[] {
  const total = isPanel ? main?.outlook?.mean ?? 0 : 0
  if (incoherence === null || total <= 0 || incoherence / total < leastIncoherence) return []
  return [
    say('reconciliation', incoherence / total)`Sums and their parts were forecast up to ${
      size('incoherence', incoherence)
    } apart, ${share('of_total', incoherence / total)} of the average total, and were adjusted until they agreed.`
  ]
}
