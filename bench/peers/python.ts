import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A virtual environment with pinned packages. */
export interface Environment {
  folder: string
  requirements: string
  /** The first of these commands that runs makes the environment. */
  interpreters: readonly string[]
}

/** The pinned packages of every peer, those of `trees` and `tabular` excepted. */
export const requirements = join('bench', 'peers', 'requirements.txt')
const peers: Environment = { folder: join('.cache', 'peers'), requirements, interpreters: ['python3'] }

/** The peers of `trees`: the newest of them do not install on older interpreters. */
export const treePeers: Environment = {
  folder: join('.cache', 'trees-peers'),
  requirements: join('bench', 'peers', 'trees-requirements.txt'),
  interpreters: ['python3.12', 'python3.13', 'python3']
}

/** The peers of `tabular`, which together are too large to come with every other. */
export const tabularPeers: Environment = {
  ...treePeers,
  folder: join('.cache', 'tabular-peers'),
  requirements: join('bench', 'peers', 'tabular-requirements.txt')
}

/** The interpreter of a virtual environment, made or renewed when its pinned requirements changed. */
export function preparePython (log: (line: string) => void, environment: Environment = peers): string {
  const { folder, interpreters } = environment
  const python = join(folder, 'bin', 'python')
  const stamp = join(folder, 'requirements.sha256')
  const wanted = createHash('sha256').update(readFileSync(environment.requirements)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  log(`installing the pinned peers into ${folder}`)
  // The command of a version manager may be there and yet not run, so each one is tried.
  const interpreter = interpreters.find((command) => spawnSync(command, ['--version']).status === 0)
  if (interpreter === undefined) {
    throw new Error(`none of ${interpreters.join(', ')} runs, which ${environment.requirements} needs`)
  }
  execFileSync(interpreter, ['-m', 'venv', '--clear', folder], { stdio: 'inherit' })
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement',
    environment.requirements], { stdio: 'inherit' })
  writeFileSync(stamp, wanted)
  return python
}

/** Runs a script that prints one JSON document as its last line. */
export async function runPython<T> (python: string, args: string[], env: Record<string, string> = {}): Promise<T> {
  const { stdout } = await promisify(execFile)(python, args, { env: { ...process.env, ...env }, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

/** Name and pinned version of a peer, as results name it. */
export function namePeer (name: string, { requirements: path }: Environment = peers): string {
  const version = new RegExp(`^${name}==(\\S+)$`, 'm').exec(readFileSync(path, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${path} does not pin ${name}`)
  return `${name} ${version}`
}
