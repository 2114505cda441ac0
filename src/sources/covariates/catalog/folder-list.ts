import { readdir, realpath, stat } from 'node:fs/promises'
import { keyFolders, type KeyFolders } from './catalog-keys.ts'

/** A change within the file system's own grain of time would not be seen by its time. */
const settledMs = 2_000

/**
 * Lists the folders in a folder, again only when it has changed: a catalogue of thousands of places is asked for each
 * of them. Links are followed once, so that what is read from `root` afterwards is of one state. Rejects with the file
 * system's error.
 */
export function folderList (path: string): () => Promise<KeyFolders & { root: string }> {
  let last: { root: string, mtimeMs: number, folders: KeyFolders } | undefined
  return async () => {
    const root = await realpath(path)
    const { mtimeMs } = await stat(root)
    if (last?.root !== root || last.mtimeMs !== mtimeMs) {
      const entries = await readdir(root, { withFileTypes: true })
      const folders = keyFolders(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
      last = { root, mtimeMs: Date.now() - mtimeMs > settledMs ? mtimeMs : NaN, folders }
    }
    return { root, ...last.folders }
  }
}
