import { statSync } from 'node:fs'

export interface WatchedFile<T> {
  value(): T
  close(): void
}

export interface WatchFileOptions<T> {
  path: string
  /** Throws when the file cannot be used. */
  read: (path: string) => T
  /** Called after each reload that took effect. */
  onChange?: () => void
  /** Called when the changed file cannot be used; what it said before stays in force. */
  onError: (error: Error) => void
  pollMs?: number
}

/**
 * A file of the operator, read at once and again when it changes. It is polled by its modification time, because a
 * notification is lost when the file is replaced by a rename or through a mounted configuration volume. An unusable
 * file throws here; later it is reported and the last good content stays, so that a half-written edit locks nobody out.
 */
export function watchFile<T> (
  { path, read, onChange = () => undefined, onError, pollMs = 1000 }: WatchFileOptions<T>
): WatchedFile<T> {
  // Looked at before the file is read: a change while it is read is one more change, not one that is missed.
  let version = versionOf(path)
  let value = read(path)
  const timer = setInterval(() => {
    const now = versionOf(path)
    if (now === version) return
    version = now
    try {
      value = read(path)
    } catch (error) {
      onError(error as Error)
      return
    }
    onChange()
  }, pollMs)
  timer.unref()
  return { value: () => value, close: () => clearInterval(timer) }
}

/**
 * What differs when the file was written again; a file that cannot be looked at cannot be read either, which says why.
 */
function versionOf (path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    return (error as Error).message
  }
}
