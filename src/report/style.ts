import { colourVariables, pageRules } from './chart/looks.ts'

/**
 * Text has a contrast of at least 4.5 with its background in both schemes, lines have one of 3. Nothing is expressed by
 * colour alone.
 */
export const style = `
:root { color-scheme: light dark; ${colourVariables(0)} }
@media (prefers-color-scheme: dark) { :root { ${colourVariables(1)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
body { font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
footer { padding-bottom: 2rem; color: var(--soft); font-size: 0.875rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.25rem 0 0.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line); font-size: 1.2rem; }
p, ul { max-width: 46rem; }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.75rem 0 0; padding: 0; list-style: none; }
h1 small { margin-top: 0.25rem; font-size: 1rem; }
.verdict { margin-top: 1rem; padding: 0.75rem 1rem; border-left: 4px solid var(--accent); background: var(--panel); }
.verdict p { margin: 0.25rem 0; }
.scroll { margin: 1rem 0; overflow-x: auto; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.9rem; overflow-wrap: normal; }
caption { padding: 0.25rem 0; text-align: left; font-weight: 600; }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { min-width: 9rem; max-width: 20rem; font-weight: 500; overflow-wrap: anywhere; }
td { min-width: 6rem; max-width: 28rem; overflow-wrap: anywhere; }
td ul { margin: 0; padding: 0; list-style: none; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody .number { min-width: 0; }
small { display: block; color: var(--soft); font-weight: 400; }
.charts { display: grid; gap: 0 2.5rem; align-items: start; }
.charts { grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.charts .chart { min-width: 0; max-width: 29rem; }
.chart { margin: 1rem 0; }
figcaption { margin-bottom: 0.5rem; font-weight: 600; }
.chart p { color: var(--soft); font-size: 0.875rem; }
.wide { overflow-x: auto; }
.wide svg { min-width: 40rem; max-width: 56rem; }
summary { color: var(--accent); cursor: pointer; }
svg { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
${pageRules}dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; }
dt { min-width: 12rem; color: var(--soft); }
dd { margin: 0; }
.hash { font-family: ui-monospace, monospace; font-size: 0.85rem; }
`
