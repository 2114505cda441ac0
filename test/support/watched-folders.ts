import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { Test } from 'tap'

/**
 * What this thread asks of the file system until the test ends: the folders that it reads whole, and those that it
 * opens.
 */
export function watchFolders (t: Test): { readWhole: string[], opened: string[] } {
  const seen = { readWhole: [] as string[], opened: [] as string[] }
  const { readdir, opendir } = fs
  fs.readdir = (async (...args: Parameters<typeof readdir>) => {
    seen.readWhole.push(String(args[0]))
    return await readdir(...args)
  }) as typeof readdir
  fs.opendir = async (...args) => {
    seen.opened.push(String(args[0]))
    return await opendir(...args)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, { readdir, opendir })
    syncBuiltinESMExports()
  })
  return seen
}
