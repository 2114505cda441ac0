import { numberText } from '../number-text.ts'
import type { Layer } from '../plot/layers.ts'
import { make } from './elements.ts'

/** The figures of one time: a name with its value each. */
export function valuesAt (layers: readonly Layer[], index: number): Array<[name: string, value: string]> {
  return layers.flatMap(({ label, lines }): Array<[string, string]> => {
    const [low = null, high] = lines.map((figures) => figures[index] ?? null)
    if (low === null || high === null) return []
    return [[label, high === undefined ? numberText(low) : `${numberText(low)} to ${numberText(high)}`]]
  }).reverse()
}

/** Says what is under the cursor; without one, what can be done. */
export class Readout {
  readonly #element: HTMLElement
  readonly #times: (index: number) => string
  #layers: readonly Layer[] = []
  #from = 0

  constructor (element: HTMLElement, times: (index: number) => string) {
    this.#element = element
    this.#times = times
  }

  /** `from`: where the series begins among all times. */
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

  /** The same for those who hear it. */
  textAt (index: number): string {
    return [
      this.#times(this.#from + index),
      ...valuesAt(this.#layers, index).map(([name, value]) => `${name} ${value}`)
    ].join(', ')
  }
}
