import { realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** The link in a catalogue's directory that says which state of it is read, once a bundle was imported. */
export const currentLink = 'current'

/** Where `<kind>/<provider>/<key>` are: what `current` leads to, or the directory itself when nothing was imported. */
export async function catalogRoot (directory: string): Promise<string> {
  try {
    return await realpath(join(directory, currentLink))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return directory
    throw error
  }
}
