import { attributesOf } from '../chart/looks.ts'
import type { Layer } from '../plot/layers.ts'
import { make } from './elements.ts'

const order: Array<Layer['kind']> = ['history', 'mean', 'median', 'quantile', 'band', 'backtest']

/**
 * A button for each thing that is drawn, which shows and hides it. Its sample of the line has the classes of the static
 * drawing.
 */
export function renderLegend (list: HTMLElement, layers: readonly Layer[], hidden: Set<string>,
  onChange: () => void): void {
  const items = order.flatMap((kind) => layers.filter((layer) => layer.kind === kind))
  let bands = 0
  list.replaceChildren(...items.map((layer) => {
    // Narrow bands lie on the wide ones.
    if (layer.kind === 'band') bands += 1
    const button = make('button', { type: 'button', 'aria-pressed': String(!hidden.has(layer.key)) },
      sampleOf(layer, Math.max(1, bands)), layer.label)
    button.addEventListener('click', () => {
      if (!hidden.delete(layer.key)) hidden.add(layer.key)
      button.setAttribute('aria-pressed', String(!hidden.has(layer.key)))
      onChange()
    })
    return make('li', {}, button)
  }))
}

function sampleOf ({ kind }: Layer, copies: number): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (let copy = 0; copy < (kind === 'band' ? copies : 1); copy++) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    for (const [name, value] of attributesOf(kind)) path.setAttribute(name, value)
    path.setAttribute('class', kind)
    path.setAttribute('d', kind === 'band' ? 'M0 1H28V13H0Z' : 'M0 7H28')
    svg.append(path)
  }
  svg.setAttribute('viewBox', '0 0 28 14')
  svg.setAttribute('aria-hidden', 'true')
  return svg
}
