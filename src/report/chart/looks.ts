/**
 * Colours by role, in the light and in the dark scheme. Marks have a contrast of at least 3 with the page, text one of
 * 4.5.
 */
export const colours = {
  page: ['#ffffff', '#14181d'],
  text: ['#1b1f24', '#e6e9ec'],
  soft: ['#57606a', '#a3acb6'],
  line: ['#d0d7de', '#3a424b'],
  panel: ['#eef1f4', '#232a32'],
  accent: ['#0b5cad', '#6cb6ff'],
  warm: ['#b34700', '#ffa14d'],
  wrong: ['#b3261e', '#ff8b82'],
  lower: ['#4f81b8', '#86b3d8'],
  middle: ['#7d7394', '#b3a9bd'],
  upper: ['#b0622f', '#dda277']
} as const satisfies Record<string, readonly [light: string, dark: string]>
export type Colour = keyof typeof colours

/** SVG attributes; a colour is given by its name. */
export type Look = {
  fill?: Colour | 'none'
  stroke?: Colour
  'fill-opacity'?: number
  'stroke-width'?: number
  'stroke-dasharray'?: string
  'stroke-linecap'?: 'round' | 'square'
  'paint-order'?: 'stroke'
  'font-weight'?: number
}

function line (stroke: Colour, width: number, more: Look = {}): Look {
  return { fill: 'none', stroke, 'stroke-width': width, ...more }
}

const dashed = (dashes: string): Look => ({ 'stroke-dasharray': dashes })
const point: Look = { 'stroke-linecap': 'round' }

/** How marks look, by class name. Lines also differ in their dashes, not only in colour. */
export const looks = {
  page: { fill: 'page' },
  heading: { fill: 'text', 'font-weight': 600 },
  soft: { fill: 'soft' },
  halo: { fill: 'text', stroke: 'page', 'stroke-width': 2.5, 'paint-order': 'stroke' },
  grid: line('line', 0.7),
  zero: line('soft', 1),
  reference: line('soft', 1.2, dashed('4 3')),
  mark: line('text', 1.8),
  track: { fill: 'panel' },
  accent: { fill: 'accent' },
  warm: { fill: 'warm' },
  wrong: { fill: 'wrong' },
  hollow: { fill: 'page', stroke: 'accent', 'stroke-width': 1.8 },
  frame: line('text', 1.2),
  link: line('soft', 0.8, dashed('2 2')),
  line: line('accent', 1.8),
  cloud: { fill: 'accent', 'fill-opacity': 0.55 },
  interval: { fill: 'accent', 'fill-opacity': 0.25 },
  weak: { fill: 'soft', 'fill-opacity': 0.16 },
  'weak-line': line('soft', 1.4, dashed('2 3')),
  // Points, by the rank of the value among all.
  lowest: line('accent', 3, point),
  lower: line('lower', 3, point),
  middle: line('middle', 3, point),
  upper: line('upper', 3, point),
  highest: line('warm', 3, point),
  missing: line('soft', 2, { 'stroke-linecap': 'square' }),
  // Layers of a forecast.
  band: { fill: 'accent', 'fill-opacity': 0.22 },
  'backtest-band': { fill: 'warm', 'fill-opacity': 0.15, ...dashed('7 4') },
  history: line('text', 1.3),
  quantile: line('accent', 1, dashed('1 3')),
  median: line('accent', 1.4, dashed('3 3')),
  mean: line('accent', 2.2),
  backtest: line('warm', 1.7, dashed('7 4'))
} as const satisfies Record<string, Look>
export type LookName = keyof typeof looks

/**
 * SVG attributes in the colours of the light scheme. A style sheet overrides them, and they stay where style sheets are
 * blocked.
 */
export function attributesOf (name: LookName): Array<readonly [name: string, value: string]> {
  return Object.entries<string | number>(looks[name]).map(
    ([key, value]) => [key, value in colours ? colours[value as Colour][0] : String(value)]
  )
}

function colourRules (colour: (name: Colour) => string): string {
  const property = (name: string, value: Colour | 'none' | undefined) =>
    value === undefined || value === 'none'
      ? ''
      : ` ${name}: ${colour(value)};`
  const rules = Object.entries<Look>(looks).map(
    ([name, { fill, stroke }]) => `.${name} {${property('fill', fill)}${property('stroke', stroke)} }\n`
  )
  return `svg { fill: ${colour('text')}; }\n${rules.join('')}`
}

/** Style rules for a page, which has the colours as variables. */
export const pageRules = colourRules((name) => `var(--${name})`)

/** Style rules for a stand-alone drawing, because not every program that shows one supports variables. */
export const darkRules = `@media (prefers-color-scheme: dark) {\n${colourRules((name) => colours[name][1])}}\n`

/** The colour variables of a page. */
export function colourVariables (scheme: 0 | 1): string {
  return Object.entries(colours).map(([name, pair]) => `--${name}: ${pair[scheme]};`).join(' ')
}
