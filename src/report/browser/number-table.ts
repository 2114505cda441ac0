import type { PlotSeries } from '../forecast-plot.ts'
import { countText } from '../number-text.ts'
import { lengthOf } from '../plot/layers.ts'
import { rowsOf } from '../plot/number-rows.ts'
import { byId, make } from './elements.ts'

const rowsOfPage = 100

/**
 * The numbers of the shown series, a hundred at a time, from the page on which the forecast starts. Nothing is made
 * while the table is closed.
 */
export class NumberTable {
  readonly #times: (index: number) => string
  readonly #digits: number
  #series: PlotSeries | null = null
  #page = 0

  constructor (times: (index: number) => string, digits: number) {
    this.#times = times
    this.#digits = digits
    byId('numbers').addEventListener('toggle', () => this.#render())
    byId('earlier-rows').addEventListener('click', () => this.#turn(-1))
    byId('later-rows').addEventListener('click', () => this.#turn(1))
  }

  show (series: PlotSeries): void {
    this.#series = series
    this.#page = Math.floor(Math.min(series.history.length, lengthOf(series) - 1) / rowsOfPage)
    this.#render()
  }

  #turn (pages: number): void {
    this.#page += pages
    this.#render()
  }

  #render (): void {
    const series = this.#series
    if (series === null || !byId<HTMLDetailsElement>('numbers').open) return
    const from = this.#page * rowsOfPage
    const length = lengthOf(series)
    const to = Math.min(length, from + rowsOfPage)
    const table = byId('numbers').querySelector('table')
    table?.querySelector('caption')?.replaceChildren('Numbers of ', make('bdi', {}, series.item_id))
    table?.querySelector('tbody')?.replaceChildren(
      ...rowsOf(series, this.#times, { from, to, digits: this.#digits }).map(([time = '', part = '', ...figures]) =>
        make('tr', {}, make('th', { scope: 'row' }, time), make('td', {}, part), ...figures.map((figure) =>
          make('td', { class: 'number' }, figure)
        ))
      )
    )
    byId('pages').hidden = length <= rowsOfPage
    byId('page').textContent = `Rows ${countText(from + 1)} to ${countText(to)} of ${countText(length)}`
    byId<HTMLButtonElement>('earlier-rows').disabled = from === 0
    byId<HTMLButtonElement>('later-rows').disabled = to === length
  }
}
