import { numberText } from '../number-text.ts'
import type { Layer } from '../plot/layers.ts'
import { make } from './elements.ts'

/** The figures of one time, each as name and value. */
export function valuesAt (layers: readonly Layer[], index: number): Array<[name: string, value: string]> {
  return layers.flatMap(({ label, lines }): Array<[string, string]> => {
    const [low = null, high] = lines.map((figures) => figures[index] ?? null)
    if (low === null || high === null) return []
    return [[label, high === undefined ? numberText(low) : `${numberText(low)} to ${numberText(high)}`]]
  }).reverse()
}

/** Shows the figures under the cursor; without a cursor, a hint. */
export class Readout {
  readonly #element: HTMLElement
  readonly #times: (index: number) => string
  #layers: readonly Layer[] = []
  #from = 0

  constructor (element: HTMLElement, times: (index: number) => string) {
    this.#element = element
    this.#times = times
  }

  /** `from`: the index of the series' first time among all times. */
  use (layers: readonly Layer[], from: number): void {
    this.#layers = layers
    this.#from = from
    this.show(null)
  }

  show (index: number | null): void {
    if (index === null) {
      this.#element.replaceChildren(make('span', { class: 'notes' }, 'Point at the drawing for its numbers.'))
    } else {
      this.#element.replaceChildren(
        make('strong', {}, this.#times(this.#from + index)),
        ...valuesAt(this.#layers, index).map(([name, value]) => make('span', {}, make('b', {}, `${name} `), value))
      )
    }
  }

  /** The same as text, for screen readers. */
  textAt (index: number): string {
    return [
      this.#times(this.#from + index),
      ...valuesAt(this.#layers, index).map(([name, value]) => `${name} ${value}`)
    ].join(', ')
  }
}
