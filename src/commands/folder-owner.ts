import { existsSync, statSync } from 'node:fs'
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

/**
 * Whose files root has to make in the place of this folder; null: root's own, or this process is not root's and makes
 * its own.
 */
export function ownerToServe (folder: string): Owner | null {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return null
  const { uid, gid } = statSync(folder)
  return uid === 0 ? null : { uid, gid }
}

/**
 * As root, this process becomes the owner of the folder for good: files of root would be there that the service cannot
 * open.
 */
export function becomeOwner (folder: string): void {
  const owner = ownerToServe(folder)
  if (owner === null) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

/** Gives the folder and all below it away, itself last: until then nobody else comes in. */
export async function giveTree (folder: string, { uid, gid }: Owner): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTree(path, { uid, gid })
    else await lchown(path, uid, gid)
  }
  await chown(folder, uid, gid)
}
