import { realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** The link in a catalogue's directory to the state that is read; it exists once a bundle was imported. */
export const currentLink = 'current'

/**
 * The folder that contains `<kind>/<provider>/<key>`: the target of `current`, or the directory itself if nothing was
 * imported.
 */
export async function catalogRoot (directory: string): Promise<string> {
  try {
    return await realpath(join(directory, currentLink))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return directory
    throw error
  }
}
