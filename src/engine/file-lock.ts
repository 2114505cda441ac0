import * as native from '#native'
import { hostname } from 'node:os'

/** An exclusive lock on a file. It is held until `release`, or until this process ends for whatever reason. */
export interface FileLock {
  release(): void
}

/** Another process holds the lock. `holder` is the text that it left: `pid <pid> on <host> since <RFC 3339>`. */
export class FileLockError extends Error {
  override name = 'FileLockError'
  readonly holder: string

  constructor (path: string, holder: string) {
    super(
      `${path} is locked by ${
        holder || 'another process'
      }: it runs, or finishes what it has; wait for its end, or stop it`
    )
    this.holder = holder
  }
}

/** The garbage collector would release a lock that nobody refers to, so every held lock is kept here. */
const held = new Set<native.FileLock>()

/**
 * Takes the kernel's lock (flock) on `path` and creates the file if needed. Throws `FileLockError` if another process
 * has it.
 */
export function lockFile (path: string): FileLock {
  const holderText = `pid ${process.pid} on ${hostname()} since ${new Date().toISOString()}`
  const { lock, holder, error } = native.lockFile(path, holderText)
  if (error !== undefined) throw new Error(`${path}: ${error}`)
  if (lock === undefined) throw new FileLockError(path, holder ?? '')
  held.add(lock)
  return {
    release () {
      lock.release()
      held.delete(lock)
    }
  }
}
