import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const environment = join('.cache', 'peers')
/** The pinned packages of every peer. */
export const requirements = join('bench', 'peers', 'requirements.txt')
const stamp = join(environment, 'requirements.sha256')

/** The interpreter of the peers' virtual environment, made or renewed when the pinned requirements changed. */
export function preparePython (log: (line: string) => void): string {
  const python = join(environment, 'bin', 'python')
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  log(`installing the pinned peers into ${environment}`)
  execFileSync('python3', ['-m', 'venv', '--clear', environment], { stdio: 'inherit' })
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements], { stdio: 'inherit' })
  writeFileSync(stamp, wanted)
  return python
}

/** Runs a script that prints one JSON document as its last line. */
export async function runPython<T> (python: string, args: string[], env: Record<string, string> = {}): Promise<T> {
  const { stdout } = await promisify(execFile)(python, args, { env: { ...process.env, ...env }, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

/** Name and pinned version of a peer, as results name it. */
export function namePeer (name: string): string {
  const version = new RegExp(`^${name}==(\\S+)$`, 'm').exec(readFileSync(requirements, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${requirements} does not pin ${name}`)
  return `${name} ${version}`
}
