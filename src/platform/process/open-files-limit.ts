import { readFileSync } from 'node:fs'

/** How many files and connections this process may have open; undefined if the system does not say. */
export function openFilesLimit (): number | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux has this file.
    return undefined
  }
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  return soft === 'unlimited' ? Infinity : soft === undefined ? undefined : Number(soft)
}
