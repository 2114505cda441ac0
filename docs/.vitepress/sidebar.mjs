import { readFileSync } from 'node:fs'

/** The sections of the index (docs/README.md) with their pages, so that no list is kept twice. */
export function readSidebar (index) {
  return readFileSync(index, 'utf8').split(/^## /m).slice(1).map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    items: [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\.md\)/gm)].map(([, text, page]) => ({
      text,
      link: `/${page}`
    }))
  }))
}
