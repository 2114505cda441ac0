import { html, Html } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { labelText } from './label-text.ts'
import type { Drawing } from './layout.ts'
import { colours, darkRules } from './looks.ts'
import { bar, moved, text } from './mark.ts'

const margin = 12
const header = 36

export interface TitledDrawing extends Drawing {
  title: string
  /** A description for screen readers. */
  description: string
}

/** A drawing as a file of its own, without script and without network access. Equal drawings give equal bytes. */
export function standAloneSvg ({ title: given, description, width, height, marks }: TitledDrawing): string {
  const [w, h] = [width + 2 * margin, height + header + margin]
  const title = shownText(given, 120)
  const size = html`viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"`
  const type = html`fill="${colours.text[0]}" font-family="system-ui, sans-serif" font-size="11"`
  const heading = text(margin, 22, labelText(title, width * 11 / 14), { look: 'heading', size: 13 })
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" ${size} ${type}>
<title id="title">${title}</title>
<desc id="description">${description}</desc>
<style>${darkRules}</style>
${Html.marks(bar('page', [0, w], [0, h]))}
<g aria-hidden="true">${Html.marks([heading, moved(margin, header, marks)])}</g>
</svg>
`.toString()
}
