import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { currentLink } from '../catalog/catalog-root.ts'

const prefix = '.generation-'

/**
 * Makes a new state of a catalogue beside the current one, and then switches `current` to it in one step. A reader sees
 * all of the old state or all of the new one, even if this process is killed. `build` gets an empty folder.
 */
export async function publishGeneration (directory: string, build: (root: string) => Promise<void>): Promise<void> {
  const name = `${prefix}${ulid()}`
  const root = join(directory, name)
  await mkdir(root)
  await build(root)
  await syncFolders(root)
  const next = join(directory, `${prefix}link-${name}`)
  await symlink(name, next)
  await rename(next, join(directory, currentLink))
  await syncFolder(directory)
}

/** Removes what interrupted imports left, and states that are no longer read. */
export async function removeLeftovers (directory: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(prefix) && !kept.includes(name)) {
      await rm(join(directory, name), { recursive: true, force: true })
    }
  }
}

/** Makes a folder for unchecked files; `removeLeftovers` removes it. */
export async function makeStaging (directory: string): Promise<string> {
  const path = join(directory, `${prefix}staging-${ulid()}`)
  await mkdir(path)
  return path
}

/** Copies a folder with its subfolders: as hard links, or as copies if the file system has no links. */
export async function linkTree (from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    const source = join(from, name)
    const kind = await stat(source)
    if (kind.isDirectory()) await linkTree(source, join(to, name))
    else if (kind.isFile()) await linkFile(source, join(to, name))
  }
}

export async function linkFile (from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].includes(
      String((error as NodeJS.ErrnoException).code)
    )) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}

async function syncFolders (root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  }
  await syncFolder(root)
}

async function syncFolder (path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}
