import { html, type Html } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { drawingStyle } from './drawing-style.ts'
import { labelText } from './label-text.ts'

/** Marks with what they are called, in units of their own. */
export interface Drawing {
  title: string
  /** What can be seen, for those who cannot see it. */
  description: string
  width: number
  height: number
  marks: Html
}

const margin = 12
const header = 36

/** A drawing as a file of its own under its title, without script and without anything from a network. Equal drawings give equal bytes. */
export function standAloneSvg ({ title: given, description, width, height, marks }: Drawing): string {
  const [w, h] = [width + 2 * margin, height + header + margin]
  const title = shownText(given, 120)
  const shown = labelText(title, width * 11 / 14)
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" font-family="system-ui, sans-serif" font-size="11">
<title id="title">${title}</title>
<desc id="description">${description}</desc>
<style>${drawingStyle}</style>
<rect class="page" x="0" y="0" width="${w}" height="${h}"/>
<text class="heading" x="${margin}" y="22" font-size="13" aria-hidden="true">${shown}</text>
<g transform="translate(${margin} ${header})">
${marks}
</g>
</svg>
`.toString()
}
