import { execFile, execFileSync } from 'node:child_process'

const program = process.env['PYTHON'] ?? 'python3'

/** Why tests with Python are skipped; false where there is one. CI has one. */
export function whyNoPython (): string | false {
  try {
    execFileSync(program, ['-c', 'import sys, pip; sys.exit(sys.version_info < (3, 9))'], { stdio: 'ignore' })
    return false
  } catch (error) {
    if (process.env['CI']) {
      throw new Error('there is no Python 3.9 or newer with pip: apt-get install python3-pip', { cause: error })
    }
    return 'NOT TESTED: there is no Python 3.9 or newer with pip on this machine (apt-get install python3-pip, or ' +
      'name one in PYTHON)'
  }
}

export async function runPython (args: string[],
  env: Record<string, string>): Promise<{ ok: boolean, output: string }> {
  return await new Promise((resolve) => {
    execFile(program, args, { env: { ...process.env, ...env }, timeout: 240_000, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ ok: error === null, output: stdout + stderr })
      })
  })
}
