import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Folder of package.json: the checkout's, the image's or the unpacked package's. Compiled code lies at any depth below
 * it.
 */
export const programRoot = findRoot(import.meta.dirname)

/** Path of a program of its own process or thread, such as `worker/slot`: compiled, as `npm run build` makes it. */
export function compiledProgram (name: string): string {
  return join(programRoot, 'dist', `${name}.js`)
}

function findRoot (folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`)
  return findRoot(parent)
}
