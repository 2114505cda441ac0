import { mark } from '../chart/mark.ts'
import type { Layer } from '../plot/layers.ts'
import { make } from './elements.ts'
import { svgNodes } from './svg-nodes.ts'

const order: Array<Layer['kind']> = ['history', 'mean', 'median', 'quantile', 'band', 'backtest']

/** A button per layer, which shows and hides it. Its sample has the classes of the static drawing. */
export function renderLegend (
  list: HTMLElement,
  layers: readonly Layer[],
  hidden: Set<string>,
  onChange: () => void
): void {
  const items = order.flatMap((kind) => layers.filter((layer) => layer.kind === kind))
  let bands = 0
  list.replaceChildren(...items.map((layer) => {
    // Narrow bands are drawn on top of wide ones.
    if (layer.kind === 'band') bands += 1
    const button = make(
      'button',
      { type: 'button', 'aria-pressed': String(!hidden.has(layer.key)) },
      ...sampleOf(layer, Math.max(1, bands)),
      layer.label
    )
    button.addEventListener('click', () => {
      if (!hidden.delete(layer.key)) hidden.add(layer.key)
      button.setAttribute('aria-pressed', String(!hidden.has(layer.key)))
      onChange()
    })
    return make('li', {}, button)
  }))
}

function sampleOf ({ kind }: Layer, copies: number): Array<Node | string> {
  const sample = mark('path', { class: kind, d: kind === 'band' ? 'M0 1H28V13H0Z' : 'M0 7H28' })
  const samples = Array.from({ length: kind === 'band' ? copies : 1 }, () => sample)
  return svgNodes(mark('svg', { viewBox: '0 0 28 14', 'aria-hidden': 'true' }, samples))
}
