import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { TestService } from './service.ts'

/**
 * The test runner puts an import in front of every child process, which more than doubles the time that node takes to
 * start; the program under test runs without it.
 */
export const launcher: [string, ...string[]] = ['/usr/bin/env', '-u', 'NODE_OPTIONS']

export interface Ended {
  status: number
  stdout: string
  stderr: string
  /** The last line of the output: where `keys create` puts the key. */
  last: string
}

/**
 * Runs `tabcast`, without holding up this process: the service closes connections that are not used for a while, and
 * they have to be noticed.
 */
export async function runTabcast (args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TABCAST_'))
  const [program, ...first] = launcher
  return await new Promise((resolve) => {
    const options = { env: { ...Object.fromEntries(inherited), ...env }, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 }
    execFile(program, [...first, process.execPath, 'dist/cli.js', ...args], options, (error, stdout, stderr) => {
      resolve({
        status: error === null ? 0 : Number(error.code),
        stdout,
        stderr,
        last: stdout.trimEnd().split('\n').at(-1) ?? ''
      })
    })
  })
}

/** `tabcast keys ...` on the data folder of a service, as its operator would. */
export async function runKeys (service: TestService, ...args: string[]): Promise<Ended> {
  return await runTabcast(['keys', ...args], { TABCAST_DATA_DIR: join(service.folder, 'data') })
}

/** The public part of an issued key, which the command line takes. */
export function keyId (key: string): string {
  return key.split('_')[2] ?? ''
}
