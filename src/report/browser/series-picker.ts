import { countText } from '../number-text.ts'
import { SearchableNames } from '../plot/search-names.ts'
import { byId, make } from './elements.ts'

const mostMatches = 50

/**
 * A combobox with a list, as the ARIA Authoring Practices describe it: typing filters, arrows choose, Enter selects,
 * Escape closes.
 */
export class SeriesPicker {
  readonly #names: readonly string[]
  readonly #searchable: SearchableNames
  readonly #onPick: (number: number) => void
  readonly #input = byId<HTMLInputElement>('series')
  readonly #popup = byId('matches')
  readonly #list = byId('match-list')
  readonly #count = byId('match-count')
  #found: number[] = []
  #active = -1
  #picked = 0

  constructor (names: readonly string[], onPick: (number: number) => void) {
    this.#names = names
    this.#searchable = new SearchableNames(names)
    this.#onPick = onPick
    const [input, list] = [this.#input, this.#list]
    for (const id of ['picker', 'neighbours']) byId(id).hidden = names.length < 2
    input.addEventListener('input', () => this.#open(input.value))
    input.addEventListener('click', () => this.#isOpen ? undefined : this.#open(''))
    input.addEventListener('focus', () => input.select())
    input.addEventListener('blur', () => this.#close())
    input.addEventListener('keydown', (event) => this.#press(event))
    // Keeps the focus in the field.
    this.#popup.addEventListener('mousedown', (event) => event.preventDefault())
    list.addEventListener('click', (event) => {
      const option = (event.target as Element).closest('li')
      if (option !== null) this.pick(this.#found[[...list.children].indexOf(option)] ?? this.#picked)
    })
    byId('previous-series').addEventListener('click', () => this.pick(this.#picked - 1))
    byId('next-series').addEventListener('click', () => this.pick(this.#picked + 1))
  }

  pick (number: number): void {
    this.#picked = Math.min(Math.max(number, 0), this.#names.length - 1)
    byId<HTMLButtonElement>('previous-series').disabled = this.#picked === 0
    byId<HTMLButtonElement>('next-series').disabled = this.#picked === this.#names.length - 1
    this.#close()
    this.#onPick(this.#picked)
  }

  get #isOpen (): boolean {
    return !this.#popup.hidden
  }

  #open (text: string): void {
    const { found, count } = this.#searchable.search(text, mostMatches)
    this.#found = found
    this.#list.replaceChildren(
      ...found.map((number, place) =>
        make('li', { role: 'option', id: `match-${place}`, 'aria-selected': 'false' }, this.#names[number] ?? '')
      )
    )
    this.#count.textContent = count === 0
      ? 'No series has this in its name.'
      : `${
        count > found.length ? `${countText(found.length)} of ${countText(count)}` : countText(count)
      } series, the largest first`
    this.#popup.hidden = false
    this.#list.hidden = count === 0
    this.#input.setAttribute('aria-expanded', 'true')
    const place = text.trim() === '' ? found.indexOf(this.#picked) : 0
    this.#activate(place, place > 0)
  }

  #close (): void {
    this.#popup.hidden = true
    this.#input.setAttribute('aria-expanded', 'false')
    this.#input.removeAttribute('aria-activedescendant')
    this.#input.value = this.#names[this.#picked] ?? ''
    this.#list.replaceChildren()
    this.#count.textContent = ''
  }

  #activate (place: number, isMoved = true): void {
    this.#active = this.#found.length === 0 ? -1 : place
    for (const [other, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(other === this.#active))
    }
    const active = this.#list.children[this.#active]
    if (active === undefined) this.#input.removeAttribute('aria-activedescendant')
    else {
      this.#input.setAttribute('aria-activedescendant', active.id)
      // The first option is visible anyway, and scrolling to it would force a layout.
      if (isMoved) active.scrollIntoView({ block: 'nearest' })
    }
  }

  #press (event: KeyboardEvent): void {
    const count = this.#found.length
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (!this.#isOpen) this.#open('')
      else if (count > 0 && !event.altKey) {
        this.#activate((Math.max(this.#active, step > 0 ? -1 : 0) + step + count) % count)
      }
    } else if (event.key === 'PageDown' && this.#isOpen) this.#activate(Math.min(count - 1, this.#active + 10))
    else if (event.key === 'PageUp' && this.#isOpen) this.#activate(Math.max(0, this.#active - 10))
    else if (event.key === 'Enter' && this.#isOpen) {
      if (this.#active >= 0) this.pick(this.#found[this.#active] ?? this.#picked)
    } else if (event.key === 'Escape') {
      this.#close()
      this.#input.select()
    } else return
    event.preventDefault()
  }
}
