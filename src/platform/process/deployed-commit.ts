import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programRoot } from './program-files.ts'

/** The id of the deployed code: the file `commit` that an image has, else the checkout's HEAD, else empty. */
export function deployedCommit (): string {
  const stamped = readText('commit')
  if (stamped !== undefined) return stamped
  const head = readText('.git/HEAD')
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1]
  if (ref === undefined) return head ?? ''
  return readText(`.git/${ref}`) ??
    new RegExp(`^([0-9a-f]{40,64}) ${ref}$`, 'm').exec(readText('.git/packed-refs') ?? '')?.[1] ?? ''
}

function readText (path: string): string | undefined {
  try {
    return readFileSync(join(programRoot, path), 'utf8').trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
