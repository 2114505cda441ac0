import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../platform/config.ts'

/** Uploads are named by a ULID, probes of /health by a UUID. Other files in the folder must not be removed. */
const ownName = /^(?:[0-9A-HJKMNP-TV-Z]{26}|probe-[0-9a-f-]{36})$/

/**
 * Creates the upload folder and removes uploads that an earlier process did not finish. Throws ConfigError for a link,
 * because its target belongs to somebody else.
 */
export async function emptySpool (path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (!(await lstat(path)).isDirectory()) {
    throw new ConfigError(
      `TABCAST_DATA_DIR: ${path} must be a folder and no link, as what is left in it is removed at each start: ` +
        'remove the link, and mount a disk there if uploads shall lie on another one'
    )
  }
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile() && ownName.test(entry.name)) await rm(join(path, entry.name), { force: true })
  }
}
