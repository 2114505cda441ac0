import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

/*
 * Loaded before the program by the processes of a service under test: blocks a main thread for good, as a computation
 * does that never ends. At SIGUSR2, and in every worker that brings the input of a job of the tenant `poison` to its
 * run.
 */
function block () {
  for (;;);
}

process.on('SIGUSR2', block)
for (const name of ['link', 'copyFile']) {
  const original = fs[name]
  fs[name] = async (from, to, ...more) => {
    // A content check copies the same object under another name.
    if (String(from).includes('/poison/') && basename(String(to)) === 'input') block()
    return await original(from, to, ...more)
  }
}
syncBuiltinESMExports()
