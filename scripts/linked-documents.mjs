import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * The files and folders of this repository that a document links to or shows, and those that they link to, as paths
 * from the current folder. Throws for a link to nothing, be it a file or a heading.
 */
export function linkedDocuments (document) {
  const found = new Set()
  const waiting = [document]
  for (const path of waiting) {
    if (found.has(path)) continue
    found.add(path)
    if (!path.endsWith('.md')) continue
    // Code shows brackets that are no links.
    const prose = readFileSync(path, 'utf8').replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, '')
    const links = [...prose.matchAll(/\]\(([^)\s#]*)(?:#([^)]*))?\)/g), ...prose.matchAll(/ (?:src|srcset)="([^"]*)"/g)]
    for (const [, target, heading] of links) {
      if (/^[a-z]+:/.test(target)) continue
      const linked = target === '' ? path : normalize(join(dirname(path), target))
      if (linked.startsWith('..') || !existsSync(linked)) {
        throw new Error(`${path}: the link to ${target} leads nowhere`)
      }
      if (heading && !(linked.endsWith('.md') && anchors(linked).has(heading))) {
        throw new Error(`${path}: the link to ${target}#${heading} leads to no heading`)
      }
      waiting.push(statSync(linked).isDirectory() ? linked.replace(/\/$/, '') : linked)
    }
  }
  return [...found].sort()
}

/** The name that GitHub gives a heading. */
export function headingAnchor (heading) {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/** The names of the headings of a page. */
function anchors (path) {
  const prose = readFileSync(path, 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => headingAnchor(heading)))
}
