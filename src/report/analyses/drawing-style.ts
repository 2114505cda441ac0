/** Colours by role, of the light scheme and of the dark one. Marks have a contrast of 3 at least with the page, text one of 4.5. */
export const drawingColours: Readonly<Record<string, readonly [string, string]>> = {
  page: ['#ffffff', '#14181d'],
  text: ['#1b1f24', '#e6e9ec'],
  soft: ['#57606a', '#a3acb6'],
  line: ['#d0d7de', '#3a424b'],
  panel: ['#eef1f4', '#232a32'],
  up: ['#b34700', '#ffa14d'],
  down: ['#0b5cad', '#56b4e9'],
  lower: ['#4f81b8', '#86b3d8'],
  middle: ['#7d7394', '#b3a9bd'],
  upper: ['#b0622f', '#dda277']
}

const rules = `.page { fill: {page}; }
.heading, .label { fill: {text}; }
.heading { font-weight: 600; }
.ticks, .soft { fill: {soft}; }
.grid { fill: none; stroke: {line}; stroke-width: 0.7; }
.zero { fill: none; stroke: {soft}; stroke-width: 1; }
.link { fill: none; stroke: {soft}; stroke-width: 0.8; stroke-dasharray: 2 2; }
.track { fill: {panel}; }
.up { fill: {up}; }
.down { fill: {down}; }
.plain { fill: {soft}; }
.ink { fill: {text}; stroke: {page}; stroke-width: 2.5px; paint-order: stroke; }
.frame { fill: none; stroke: {text}; stroke-width: 1.2; }
.dots { fill: none; stroke-linecap: round; stroke-width: 3; }
.lowest { stroke: {down}; }
.lower { stroke: {lower}; }
.middle { stroke: {middle}; }
.upper { stroke: {upper}; }
.highest { stroke: {up}; }
.missing { stroke: {soft}; stroke-linecap: square; stroke-width: 2; }
.interval { fill: {down}; fill-opacity: 0.25; }
.coefficient { fill: none; stroke: {down}; stroke-width: 1.8; }
.weak { fill: {soft}; fill-opacity: 0.16; }
.weak-line { fill: none; stroke: {soft}; stroke-width: 1.4; stroke-dasharray: 2 3; }
`

function inScheme (scheme: 0 | 1): string {
  return rules.replaceAll(/\{(\w+)\}/g, (whole, role: string) => drawingColours[role]?.[scheme] ?? whole)
}

/** Rules of the drawings of analyses. The colours stand in them as they are: not every program that shows an SVG file knows variables. */
export const drawingStyle = `
${inScheme(0)}@media (prefers-color-scheme: dark) {
${inScheme(1)}}
`
