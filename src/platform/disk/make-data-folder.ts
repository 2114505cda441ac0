import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '../config.ts'

/** Makes the data folder, private to its owner, unless it exists. Throws ConfigError if it cannot be made or used. */
export async function makeDataFolder (path: string): Promise<void> {
  try {
    await makeFolder(resolve(path))
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ConfigError(
      `TABCAST_DATA_DIR=${JSON.stringify(path)}: must be a folder that can be made and written to: ${
        (cause as Error).message
      }`,
      { cause }
    )
  }
}

/**
 * Makes one level at a time: Node's recursive mkdir never ends below a folder like /proc, which exists but accepts no
 * entries.
 */
async function makeFolder (path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}
