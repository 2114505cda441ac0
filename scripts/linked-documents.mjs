import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * The files and folders of this repository that a document links to, and those that they link to, as paths from the
 * current folder. Throws for a link to nothing.
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
    for (const [, target] of prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const linked = normalize(join(dirname(path), target))
      if (linked.startsWith('..') || !existsSync(linked)) {
        throw new Error(`${path}: the link to ${target} leads nowhere`)
      }
      waiting.push(statSync(linked).isDirectory() ? linked.replace(/\/$/, '') : linked)
    }
  }
  return [...found].sort()
}
