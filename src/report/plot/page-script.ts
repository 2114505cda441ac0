import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { programRoot } from '../../platform/process/program-files.ts'

let assets: { script: string, style: string } | undefined

/**
 * The script of the page, as `npm run build` bundles it, and the style of uPlot.
 *
 * @throws Error when the build is not there
 */
export function pageAssets (): { script: string, style: string } {
  assets ??= {
    script: readFileSync(join(programRoot, 'dist', 'report', 'forecast-plot.js'), 'utf8'),
    style: readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8')
  }
  return assets
}
