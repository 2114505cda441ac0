import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startScript, type Script } from './script.ts'

const small = 4 * 1024 * 1024

export interface SmallDisk {
  folder: string
  kind: 'small file system' | 'file size limit'
  /** Makes the disk small for this process; waits for the script's line `ready`, and sends it `go`. */
  fill: (script: Script) => Promise<void>
  /** Gives the disk space again. */
  grow: (script: Script) => void
}

/**
 * A file system of 4 MiB where mounting is allowed, else a limit of the process's file size: both refuse writes for
 * want of space.
 */
export function smallDisk (t: Test): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-small-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const mounted = mount(t, folder)
  const resize = (script: Script, bytes: number | 'unlimited') =>
    mounted
      ? run('mount', '-o', `remount,size=${bytes === 'unlimited' ? '64m' : bytes}`, folder)
      : run('prlimit', '--pid', String(script.child.pid), `--fsize=${bytes}:`)
  return {
    folder,
    kind: mounted ? 'small file system' : 'file size limit',
    fill: async (script) => {
      await script.printed('ready')
      resize(script, small)
      script.child.stdin.write('go\n')
    },
    grow: (script) => {
      resize(script, 'unlimited')
    }
  }
}

/**
 * Runs a script that fills the disk at its first argument, prints `full` when it was refused, and `recovered` after
 * `again`.
 */
export async function fillAndRecover (t: Test, script: URL): Promise<{ kind: SmallDisk['kind'], lines: string[] }> {
  const disk = smallDisk(t)
  const filler = startScript(t, script, [join(disk.folder, 'data')])
  await disk.fill(filler)
  await filler.printed('full')
  disk.grow(filler)
  filler.child.stdin.end('again\n')
  await filler.printed('recovered')
  t.equal(await filler.ended, 0)
  return { kind: disk.kind, lines: filler.lines }
}

function mount (t: Test, folder: string): boolean {
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${small}`, 'tmpfs', folder)
  } catch {
    return false
  }
  t.teardown(() => run('umount', '--lazy', folder))
  return true
}

function run (command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
