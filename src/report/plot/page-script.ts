import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)
const read = (path: string) => readFileSync(path, 'utf8')

let assets: { script: string, style: string } | undefined

/**
 * The script of the page and the style of its chart: uPlot with its licence, then ours, as `npm run build` compiled it.
 *
 * @throws Error when the build is not there
 */
export function pageAssets (): { script: string, style: string } {
  assets ??= {
    script: `/*!\nuPlot\n\n${read(resolve('uplot/LICENSE'))}\n*/\n${read(resolve('uplot/dist/uPlot.iife.min.js'))}\n(() => {\n'use strict';\n${linkModules(resolve('#page-script'))}})();\n`,
    style: read(resolve('uplot/dist/uPlot.min.css'))
  }
  return assets
}

/**
 * The text of a module and of all that it imports, each once and before the one that needs it, as one script: a page of one file has no addresses to
 * import from. They share their names, so no two of them may define the same.
 */
export function linkModules (entry: string): string {
  const texts = new Map<string, string>()
  const definedIn = new Map<string, string>()
  const add = (path: string): void => {
    if (texts.has(path)) return
    texts.set(path, '')
    const text = read(path)
    const imports = /^import \{[^}]*\} from ['"](\.[^'"]+)['"];\n/gm
    for (const [, target = ''] of text.matchAll(imports)) add(join(dirname(path), target))
    const linked = text.replaceAll(imports, '').replaceAll(/^export (?=async |function |const |class )/gm, '').replaceAll(/^(export \{\};|\/\/# sourceMappingURL=.*)\n?/gm, '')
    const left = /^(import|export)\b.*/m.exec(linked)
    if (left !== null) throw new Error(`${path}: cannot link ${left[0]}`)
    for (const [, names = ''] of linked.matchAll(/^(?:async function|function|const|let|class) ([^=(]+?)(?: =| ?\(| \{| extends|;)/gm)) {
      for (const [name] of names.matchAll(/\w+/g)) {
        if (definedIn.has(name)) throw new Error(`${name} is defined in ${definedIn.get(name)} and in ${path}`)
        definedIn.set(name, path)
      }
    }
    // A map keeps the place of its first entry.
    texts.delete(path)
    texts.set(path, linked)
  }
  add(entry)
  return [...texts.values()].join('')
}
