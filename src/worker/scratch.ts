import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** This worker's own folder for runs under way; other workers of the data folder have theirs beside it. */
export async function openScratch (root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await sweepDead(root)
  const folder = join(root, `${hostname()}.${process.pid}`)
  // Left by an earlier process with this very id.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/**
 * Removes what processes of this host left behind when they were killed. Other hosts' process ids mean nothing here.
 */
export async function sweepDead (root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const dot = name.lastIndexOf('.')
    if (name.slice(0, dot) !== hostname() || isAlive(Number(name.slice(dot + 1)))) continue
    await rm(join(root, name), { recursive: true, force: true })
  }
}

function isAlive (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
