import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { damagedError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'

/**
 * Reads the whole folder in a process of its own and throws `damaged` when a record fails its checksum, pages are missing,
 * or reading them ends the process. A folder without a database is in order.
 */
export async function checkMetadata (path: string): Promise<void> {
  if (!existsSync(join(path, 'data.mdb'))) return
  const { output, code, signal } = await runCheck(path)
  if (signal) throw damagedError(path, `reading it ended with ${signal}`)
  if (code !== 0) throw damagedError(path, output || `reading it ended with status ${code}`)
}

function runCheck (path: string): Promise<{ output: string, code: number | null, signal: string | null }> {
  // Beside this file, as TypeScript in a checkout and as JavaScript in dist.
  const program = fileURLToPath(new URL(`check-process${extname(import.meta.url)}`, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, program, path], { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
    child.once('error', (cause) => reject(new MetadataError('unavailable', `${path}: the check did not start: ${cause.message}`, cause)))
    child.once('close', (code, signal) => resolve({ output, code, signal }))
  })
}
