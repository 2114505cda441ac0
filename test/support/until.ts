import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `probe` gives something other than undefined or false; rejects, naming `what`, after `limitMs`. */
export async function until<T> (what: string, probe: () => T | Promise<T>, limitMs = 30_000): Promise<NonNullable<T>> {
  const endMs = performance.now() + limitMs
  for (;;) {
    const found = await probe()
    if (found !== undefined && found !== false && found !== null) return found
    if (performance.now() > endMs) throw new Error(`waited ${limitMs} ms for: ${what}`)
    await sleep(10)
  }
}
