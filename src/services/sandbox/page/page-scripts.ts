import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programRoot } from '../../../platform/process/program-files.ts'

/** Scripts of the page by name, as `npm run build` compiled them. */
const names = ['main.js', 'solve-challenge.js'] as const

/** Throws where the build is not there. */
export function readPageScripts (): ReadonlyMap<string, Buffer> {
  return new Map(names.map((name) => [name, readFileSync(join(programRoot, 'dist', 'sandbox', 'page', name))]))
}
