import { columnNames } from './column-names.ts'
import type { Kind } from './curl-command.ts'
import { byId } from './elements.ts'
import type { Problem } from './problem.ts'

export interface Wish {
  kind: Kind
  file: File
  email: string
  /** The options of the job, as form fields. */
  fields: Array<[string, string]>
}

/** The form of the page: the visible fields, their errors, and the request. */
export class JobForm {
  readonly element = byId<HTMLFormElement>('job')
  readonly #file = byId<HTMLInputElement>('file')
  readonly #button = byId<HTMLButtonElement>('start')
  /** The columns of the file; empty when unknown. */
  #columns: readonly string[] = []

  constructor () {
    for (const choice of this.element.querySelectorAll('[name="kind"]')) {
      choice.addEventListener('change', () => this.#showOptions())
    }
    this.#file.addEventListener('change', () => {
      void this.#suggestColumns()
    })
    for (const type of ['input', 'change']) this.element.addEventListener(type, ({ target }) => this.#unmark(target))
    this.#takeDrops()
    this.#showOptions()
  }

  /** Prevents a second job while one runs. */
  setBusy (isBusy: boolean): void {
    this.#button.disabled = isBusy
    this.element.setAttribute('aria-busy', String(isBusy))
  }

  /** The request; null when a field is incomplete, which is then shown at the field. */
  read (): Wish | null {
    this.clear()
    // Fields of the other kind of job are disabled, so they are neither checked nor read.
    const enabled = this.#inputs().filter((field) => !field.matches(':disabled'))
    const missing = enabled.filter(({ validity }) => !validity.valid)
    for (const field of missing) this.#mark(field, field.validationMessage)
    // The service would refuse it as well, but each try counts.
    const unknown = enabled.filter((field) => this.#isUnknownColumn(field))
    for (const field of unknown) this.#mark(field, this.#unknownColumn(field))
    const [file] = this.#file.files ?? []
    const [wrong] = [...missing, ...unknown]
    if (wrong !== undefined || file === undefined) {
      wrong?.focus()
      return null
    }
    const data = new FormData(this.element)
    const options = this.#inputs().filter(({ classList, name, value }) => {
      return classList.contains('option') && data.has(name) && value !== ''
    })
    const fields = options.map(({ name, value }): [string, string] => [name, value])
    if (data.get('item_id_column') === '') fields.push(['one_series', 'true'])
    return { kind: data.get('kind') as Kind, file, email: String(data.get('email')), fields }
  }

  clear (): void {
    for (const field of this.element.querySelectorAll('[aria-invalid]')) this.#unmark(field)
  }

  /** Shows each error at its field. */
  show ({ fields }: Problem): void {
    for (const [name, text] of fields) {
      const field = this.element.elements.namedItem(name)
      if (field instanceof HTMLInputElement) this.#mark(field, text)
    }
  }

  #inputs (): HTMLInputElement[] {
    return [...this.element.elements].filter((field) => field instanceof HTMLInputElement)
  }

  #mark (field: HTMLInputElement, text: string): void {
    field.setAttribute('aria-invalid', 'true')
    byId(`${field.id}-error`).textContent = text
  }

  #unmark (field: EventTarget | null): void {
    if (!(field instanceof HTMLInputElement) || !field.hasAttribute('aria-invalid')) return
    field.removeAttribute('aria-invalid')
    byId(`${field.id}-error`).textContent = ''
  }

  #showOptions (): void {
    const kind = String(new FormData(this.element).get('kind'))
    const isForecast = kind === 'forecast'
    for (const [id, isShown] of [['forecast-options', isForecast], ['table-options', !isForecast]] as const) {
      const options = byId<HTMLFieldSetElement>(id)
      options.hidden = !isShown
      options.disabled = !isShown
    }
  }

  #isUnknownColumn ({ list, value }: HTMLInputElement): boolean {
    return list !== null && value !== '' && this.#columns.length > 0 && !this.#columns.includes(value)
  }

  #unknownColumn ({ required, value }: HTMLInputElement): string {
    const text = `The file has no column “${value}”. It has ${this.#columns.map((name) => `“${name}”`).join(', ')}.`
    return required ? text : `${text} Leave this empty if all rows are one series.`
  }

  async #suggestColumns (): Promise<void> {
    const [file] = this.#file.files ?? []
    this.#columns = file === undefined ? [] : await columnNames(file)
    const options = this.#columns.map((value) => Object.assign(document.createElement('option'), { value }))
    byId('columns').replaceChildren(...options)
  }

  /** A convenience for pointers; the field itself works without it. */
  #takeDrops (): void {
    const place = byId('drop')
    const mark = (isOver: boolean) => place.classList.toggle('over', isOver)
    place.addEventListener('dragover', (event) => {
      event.preventDefault()
      mark(true)
    })
    place.addEventListener('dragleave', () => mark(false))
    place.addEventListener('drop', (event) => {
      event.preventDefault()
      mark(false)
      if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return
      this.#file.files = event.dataTransfer.files
      this.#file.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }
}
