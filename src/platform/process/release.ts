import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programRoot } from './program-files.ts'

/** The version of this release, from package.json. */
export const release: string =
  (JSON.parse(readFileSync(join(programRoot, 'package.json'), 'utf8')) as { version: string }).version
