import { createHash } from 'node:crypto'
import { html, type Html } from './html.ts'
import { style } from './style.ts'

/** The browser compares it with the text of the one style element, which has no character that `html` escapes. */
const styleHash = createHash('sha256').update(style).digest('base64')
/** Nothing is loaded, sent or run, wherever the page is opened. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`

export interface Page { title: string, header: Html, main: Html, footer: Html }

/** A document that needs nothing from a network. */
export function renderPage ({ title, header, main, footer }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>${header}</header>
<main>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`.toString()
}
