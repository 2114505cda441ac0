import { existsSync, statSync } from 'node:fs'
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

/**
 * The owner that files in place of this folder must have when root creates them. null when they are root's, or when
 * this process is not root.
 */
export function ownerToServe (folder: string): Owner | null {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return null
  const { uid, gid } = statSync(folder)
  return uid === 0 ? null : { uid, gid }
}

/**
 * As root, switches this process to the owner of the folder for good. Otherwise it would leave files of root that the
 * service cannot open.
 */
export function becomeOwner (folder: string): void {
  const owner = ownerToServe(folder)
  if (owner === null) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

/** Gives away the folder with everything below it, the folder itself last, so that nobody else can enter before. */
export async function giveTree (folder: string, { uid, gid }: Owner): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTree(path, { uid, gid })
    else await lchown(path, uid, gid)
  }
  await chown(folder, uid, gid)
}
