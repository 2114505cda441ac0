import { html, type Html } from '../html.ts'
import { at } from './chart.ts'

export interface Bar {
  label: string
  /** Its value as people read it. */
  value: string
  /** Its length as a share of the whole width, 0 to 1. */
  share: number
}

export const barsWidth = 360
const step = 34

export function barsHeight (count: number): number {
  return Math.max(count, 1) * step
}

/** A bar under its label, from the top. `reference`: where a line crosses each of them, a share of the width. */
export function renderBars (bars: readonly Bar[], reference?: number): Html {
  return html`${bars.map(({ label, value, share }, index) => {
    const y = index * step
    const line = reference === undefined ? null : html`<path class="mark" d="M${at(reference * barsWidth)} ${y + 15}V${y + 30}"/>`
    return html`<g aria-hidden="true"><text x="0" y="${y + 13}">${label}</text><text class="share" x="${barsWidth}" y="${y + 13}" text-anchor="end">${value}</text>
<rect class="track" x="0" y="${y + 18}" width="${barsWidth}" height="9" rx="2"/><rect class="bar" x="0" y="${y + 18}" width="${at(Math.min(1, Math.max(0, share)) * barsWidth)}" height="9" rx="2"/>${line}</g>
`
  })}`
}
