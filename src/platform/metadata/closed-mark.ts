import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Left beside the data when the folder was closed in good order: which file it was, how large, and when it last
 * changed. As long as that is so, nothing has happened to it, and a start need not read gigabytes to know. Damage that
 * changes none of these, by a disk that forgets, is found by the checksum of each record at its read.
 */
const markName = 'closed.json'

/** Takes the mark away and says whether the data are those that were closed. */
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
    // A full disk: without the mark the next start reads everything, as after a crash.
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
