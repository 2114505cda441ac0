import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programRoot } from '../../../platform/process/program-files.ts'

/** The page's scripts, as compiled by `npm run build`. */
const names = ['main.js', 'solve-challenge.js'] as const

/** Throws without a build. */
export function readPageScripts (): ReadonlyMap<string, Buffer> {
  return new Map(names.map((name) => [name, readFileSync(join(programRoot, 'dist', 'sandbox', 'page', name))]))
}
