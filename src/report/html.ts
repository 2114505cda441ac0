import type { Marks } from './chart/mark.ts'

/** Markup that may go into a page as it is. Only `html` makes it, so that text gets in escaped or not at all. */
export class Html {
  readonly #text: string

  private constructor (text: string) {
    this.#text = text
  }

  static join (strings: readonly string[], values: readonly Content[]): Html {
    return new Html(strings.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''))
  }

  /**
   * An element whose text a browser takes literally. A text that could end the element, or be read as markup in it, is
   * refused.
   */
  static raw (tag: 'style' | 'script', text: string): Html {
    if (/<\/(style|script)|<!--/i.test(text)) throw new Error(`a ${tag} has text that is read as markup`)
    return new Html(`<${tag}>${text}</${tag}>`)
  }

  /** Marks of a drawing. The names of their elements and attributes come from the code, never from data. */
  static marks (marks: Marks): Html {
    if (marks === null || typeof marks === 'string') return new Html(render(marks))
    if (!('tag' in marks)) return new Html(marks.map((one) => Html.marks(one).#text).join(''))
    const { tag, attributes, content } = marks
    const start = `${tag}${attributes.map(([name, value]) => ` ${name}="${escape(value)}"`).join('')}`
    const inner = Html.marks(content).#text
    return new Html(inner === '' ? `<${start}/>` : `<${start}>${inner}</${tag}>`)
  }

  /** Data for a script of the page, which a browser neither runs nor shows. */
  static json (id: string, data: unknown): Html {
    const text = JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
    return new Html(`<script type="application/json" id="${escape(id)}">${text}</script>`)
  }

  toString (): string {
    return this.#text
  }
}

/** The values that a template takes; `null` and `undefined` give nothing. */
export type Content = Html | string | number | null | undefined | readonly Content[]

/**
 * A template of markup. Everything between its fixed parts is escaped, unless it is markup itself. Attribute values
 * have to be in double quotes.
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
