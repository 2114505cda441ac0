import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Makes this worker's folder for current runs; other workers of the same data folder have theirs beside it. */
export async function openScratch (root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await sweepDead(root)
  const folder = join(root, `${hostname()}.${process.pid}`)
  // An earlier process with the same id may have left it.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Removes the folders of dead processes of this host. The process ids of other hosts mean nothing here. */
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
