import { statSync } from 'node:fs'

export interface WatchedFile<T> {
  value(): T
  close(): void
}

export interface WatchFileOptions<T> {
  path: string
  /** Throws if the file cannot be used. */
  read: (path: string) => T
  /** Called after each reload that took effect. */
  onChange?: () => void
  /** Called if the changed file cannot be used; the previous content stays in force. */
  onError: (error: Error) => void
  pollMs?: number
}

/**
 * Reads a file of the operator, and reads it again when it changes. Changes are found by polling the modification time,
 * because a notification is lost if the file is replaced by a rename or through a mounted configuration volume. An
 * unusable file throws here. Later it is reported and the last good content stays, so that a half-written edit locks
 * nobody out.
 */
export function watchFile<T> (
  { path, read, onChange = () => undefined, onError, pollMs = 1000 }: WatchFileOptions<T>
): WatchedFile<T> {
  // Taken before reading, so that a change during the read counts as one more change instead of being missed.
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
 * Changes whenever the file is written again. If it cannot be determined, reading the file fails too, and that error
 * says why.
 */
function versionOf (path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    return (error as Error).message
  }
}
