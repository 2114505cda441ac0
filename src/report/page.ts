import { createHash } from 'node:crypto'
import { html, Html } from './html.ts'
import { style } from './style.ts'

export interface Page {
  title: string
  header: Html
  main: Html
  footer: Html
  /** Style rules after those that all pages have. */
  style?: string
  /** Data that the page's script finds under the id `plot-data`. */
  data?: unknown
  script?: string
}

/**
 * A document without network access. Its policy has the hashes of its one style and its one script, so that nothing
 * else is applied, loaded, sent or run.
 */
export function renderPage ({ title, header, main, footer, style: more = '', data, script }: Page): string {
  const rules = style + more
  // A script gets no way to turn text into markup or code.
  const scripts = script === undefined
    ? ''
    : ` script-src ${hashOf(script)}; require-trusted-types-for 'script'; trusted-types 'none';`
  const policy = `default-src 'none';${scripts} style-src ${hashOf(rules)}; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${Html.raw('style', rules)}
</head>
<body>
<header>${header}</header>
<main>
${main}
</main>
<footer>${footer}</footer>
${data === undefined ? null : Html.json('plot-data', data)}${script === undefined ? null : Html.raw('script', script)}
</body>
</html>
`.toString()
}

function hashOf (text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
