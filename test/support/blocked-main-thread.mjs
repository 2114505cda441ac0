import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded before the program by the processes of a service under test: blocks a main thread for good, as a computation
 * does that never ends. At SIGUSR2, and in every worker that stores what a run of the tenant `poison` has made.
 */
function block () {
  for (;;);
}

process.on('SIGUSR2', block)
const { renameSync } = fs
fs.renameSync = (from, to) => {
  // The api stores small uploads the same way.
  if (!process.argv.includes('api') && String(to).includes('/poison/')) block()
  renameSync(from, to)
}
syncBuiltinESMExports()
