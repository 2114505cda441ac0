/** Markup that may go into a page as it is. Only `html` makes it, so that text can get in escaped or not at all. */
export class Html {
  readonly #text: string

  private constructor (text: string) {
    this.#text = text
  }

  static join (strings: readonly string[], values: readonly Content[]): Html {
    return new Html(strings.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''))
  }

  /**
   * An element whose text a browser takes as it is; a text that could end it, or be read as markup in it, is refused.
   */
  static raw (tag: 'style' | 'script', text: string): Html {
    if (/<\/(style|script)|<!--/i.test(text)) throw new Error(`a ${tag} has text that is read as markup`)
    return new Html(`<${tag}>${text}</${tag}>`)
  }

  /** An element of SVG. Its name and those of its attributes come from the code, never from data. */
  static element (name: string, attributes: ReadonlyArray<readonly [name: string, value: string]>,
    content: Content): Html {
    const start = `${name}${attributes.map(([key, value]) => ` ${key}="${escape(value)}"`).join('')}`
    const inner = render(content)
    return new Html(inner === '' ? `<${start}/>` : `<${start}>${inner}</${name}>`)
  }

  /** Data for a script of the page, which a browser neither runs nor shows. */
  static json (id: string, data: unknown): Html {
    return new Html(
      `<script type="application/json" id="${escape(id)}">${
        JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
      }</script>`
    )
  }

  toString (): string {
    return this.#text
  }
}

/** What a template takes; `null` and `undefined` are nothing. */
export type Content = Html | string | number | null | undefined | readonly Content[]

/**
 * A template of markup. Everything between its fixed parts is escaped unless it is markup itself; attribute values have
 * to stand in double quotes.
 */
export function html (strings: TemplateStringsArray, ...values: Content[]): Html {
  return Html.join(strings, values)
}

function render (value: Content): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  return escape(String(value))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape (text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
