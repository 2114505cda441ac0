import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programRoot } from '../../platform/process/program-files.ts'

let script: string | undefined

/**
 * The script of the plot's page, as `npm run build` bundles it.
 * @throws Error if the build is missing
 */
export function plotScript (): string {
  script ??= readFileSync(join(programRoot, 'dist', 'report', 'forecast-plot.js'), 'utf8')
  return script
}
