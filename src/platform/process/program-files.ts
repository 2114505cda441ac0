import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of package.json: that of the checkout, the image or the unpacked package. Compiled code may be at any
 * depth below it.
 */
export const programRoot = findRoot(import.meta.dirname)

/** The path of a program for a process or thread of its own, such as `worker/slot`, as `npm run build` compiles it. */
export function compiledProgram (name: string): string {
  return join(programRoot, 'dist', `${name}.js`)
}

function findRoot (folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`)
  return findRoot(parent)
}
