import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * A file beside the data that is written when the folder is closed properly. It identifies the data file and says how
 * large it was and when it last changed. While that holds, nothing has happened to the file, so a start need not read
 * gigabytes to check it. Damage that changes none of this, from a faulty disk, is found by a record's checksum when it
 * is read.
 */
const markName = 'closed.json'

/** Removes the mark, and says whether the data are unchanged since they were closed. */
export async function takeClosedMark (path: string): Promise<boolean> {
  const mark = await textOf(join(path, markName))
  if (mark === undefined) return false
  const isSame = mark === await describe(path)
  await rm(join(path, markName), { force: true })
  return isSame
}

export async function leaveClosedMark (path: string): Promise<void> {
  try {
    const mark = await describe(path)
    if (mark !== undefined) await writeFile(join(path, markName), mark, { mode: 0o600 })
  } catch {
    // Not written because the disk is full. Without the mark the next start reads everything, as after a crash.
    await rm(join(path, markName), { force: true })
  }
}

/** undefined: there is no database. */
async function describe (path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(join(path, 'data.mdb'), { bigint: true })
    return JSON.stringify([ino, size, mtimeNs].map(String))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function textOf (path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
