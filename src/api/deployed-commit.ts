import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/**
 * Identifier of the deployed code: the file `commit` that an image carries, else the checkout's HEAD, else empty.
 */
export function deployedCommit (): string {
  const stamped = readText('commit')
  if (stamped !== undefined) return stamped
  const head = readText('.git/HEAD')
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1]
  if (ref === undefined) return head ?? ''
  return readText(`.git/${ref}`) ?? new RegExp(`^([0-9a-f]{40,64}) ${ref}$`, 'm').exec(readText('.git/packed-refs') ?? '')?.[1] ?? ''
}

function readText (path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8').trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
