import * as native from '#native'

/** An exclusive lock on a file, held until `release` or the end of this process, however it ends. */
export interface FileLock {
  release (): void
}

/** Another process holds the lock; `holder` is the text it left: `pid <pid> on <host> since <RFC 3339>`. */
export class FileLockError extends Error {
  override name = 'FileLockError'
  readonly holder: string

  constructor (path: string, holder: string) {
    super(`${path} is locked by ${holder || 'another process'}`)
    this.holder = holder
  }
}

/** Takes the kernel's lock (flock) on `path`, creating the file; throws `FileLockError` when it is taken. */
export function lockFile (path: string, holderText: string): FileLock {
  const reply = native.lockFile(path, holderText)
  if (reply.error !== undefined) throw new Error(reply.error)
  if (reply.lock === undefined) throw new FileLockError(path, reply.holder ?? '')
  return reply.lock
}
