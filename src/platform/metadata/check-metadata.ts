import { spawn } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { compiledProgram } from '../process/program-files.ts'
import { damagedError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'
import type { SchemaRecord } from './schema-version.ts'

export interface MetadataContents {
  /** How many records each table has. */
  counts: Record<string, number>
  schema: SchemaRecord | null
}

/**
 * Reads the whole folder in a process of its own. Throws `damaged` if a record fails its checksum, if pages are
 * missing, or if reading them ends the process. A folder without a database is fine; the result is undefined then.
 */
export async function checkMetadata (path: string): Promise<MetadataContents | undefined> {
  if (!existsSync(join(path, 'data.mdb'))) return undefined
  // A file that this user may not open is not damaged.
  for (const name of ['data.mdb', 'lock.mdb']) await assertAccess(join(path, name))
  const { output, code, signal } = await runCheck(path)
  if (signal) throw damagedError(path, `reading it ended with ${signal}`)
  if (code !== 0) throw damagedError(path, output || `reading it ended with status ${code}`)
  return JSON.parse(output) as MetadataContents
}

async function assertAccess (file: string): Promise<void> {
  await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new MetadataError('unavailable', error.message, error)
  })
}

function runCheck (path: string): Promise<{ output: string, code: number | null, signal: string | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [compiledProgram('platform/metadata/check-process'), path], {
      stdio: ['ignore', 'pipe', 'ignore']
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.once('error',
      (cause) => reject(new MetadataError('unavailable', `${path}: the check did not start: ${cause.message}`, cause)))
    child.once('close', (code, signal) => resolve({ output, code, signal }))
  })
}
