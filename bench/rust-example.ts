import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Builds an example program of a crate and returns its path; the Makefile names a target triple, which is then a folder
 * of its own.
 */
export function buildExample (crate: string, example: string): string {
  execFileSync('cargo', ['build', '--release', '--locked', '--quiet', '-p', crate, '--example', example], {
    stdio: 'inherit'
  })
  const { CARGO_TARGET_DIR: folder = 'target', CARGO_BUILD_TARGET: triple = '' } = process.env
  return join(folder, triple, 'release', 'examples', example)
}
