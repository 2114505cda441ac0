import { readdir, realpath, stat } from 'node:fs/promises'
import { ProviderError } from '../provider-error.ts'
import { keyFolders, type KeyFolders } from './catalog-keys.ts'

/** A change within the time resolution of the file system would not show in the modification time. */
const settledMs = 2_000

/**
 * Lists the folders in a folder, and lists them again only if it has changed: a catalogue of thousands of locations is
 * asked for each of them. Links are resolved once, so that later reads from `root` see one state. Rejects with a
 * ProviderError of `provider`.
 */
export function folderList (provider: string, path: string): () => Promise<KeyFolders & { root: string }> {
  let last: { root: string, mtimeMs: number, folders: KeyFolders } | undefined
  return async () => {
    try {
      const root = await realpath(path)
      const { mtimeMs } = await stat(root)
      if (last?.root !== root || last.mtimeMs !== mtimeMs) {
        const entries = await readdir(root, { withFileTypes: true })
        const folders = keyFolders(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
        last = { root, mtimeMs: Date.now() - mtimeMs > settledMs ? mtimeMs : NaN, folders }
      }
      return { root, ...last.folders }
    } catch (error) {
      throw new ProviderError(provider, 'CATALOG_DAMAGED', { detail: 'its folder cannot be listed', cause: error })
    }
  }
}
