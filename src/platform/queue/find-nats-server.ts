import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { programRoot } from '../process/program-files.ts'

/** Must equal `minimum` in scripts/setup-nats-server.mjs (a test compares them). */
export const minimumVersion = '2.12.0'

export interface NatsServerBinary {
  path: string
  version: string
}

export class NatsServerNotFound extends Error {
  override name = 'NatsServerNotFound'
}

/** Where `make setup` puts the binary. */
const installed = join(programRoot, '.tools', 'nats', 'bin', 'nats-server')

/**
 * The named binary, or else the first usable one of $NATS_SERVER, .tools and PATH. A named binary that is unusable is
 * an error. One that was merely found is skipped, and if no other is left, the error says why.
 */
export async function findNatsServer (named: string, env: NodeJS.ProcessEnv = process.env): Promise<NatsServerBinary> {
  const chosen = named !== '' ? named : env['NATS_SERVER'] ?? ''
  if (chosen !== '') return await verify(chosen)
  const inPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '').map((folder) =>
    join(folder, 'nats-server')
  )
  const refusals: string[] = []
  for (const path of [installed, ...inPath]) {
    if (!await isExecutable(path)) continue
    try {
      return await verify(path)
    } catch (error) {
      refusals.push((error as Error).message)
    }
  }
  throw new NatsServerNotFound(
    ['no usable nats-server: run `make setup`, or set TABCAST_NATS_SERVER to a binary', ...refusals].join('; ')
  )
}

async function verify (path: string): Promise<NatsServerBinary> {
  const version = await versionOf(path)
  if (compareVersions(version, minimumVersion) < 0) {
    throw new NatsServerNotFound(
      `${path} is nats-server ${version}; older than ${minimumVersion} loses acknowledgements when it is killed, so ` +
        'jobs would run twice'
    )
  }
  return { path, version }
}

async function versionOf (path: string): Promise<string> {
  let output: string
  try {
    output = (await promisify(execFile)(path, ['--version'], { timeout: 10_000 })).stdout
  } catch (cause) {
    throw new NatsServerNotFound(`${path} does not run: ${(cause as Error).message}`, { cause })
  }
  const version = /v(\d+\.\d+\.\d+)/.exec(output)?.[1]
  if (version === undefined) throw new NatsServerNotFound(`${path} is not a nats-server`)
  return version
}

/** Negative if `left` is older. */
function compareVersions (left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const index = b.findIndex((number, at) => a[at] !== number)
  return index === -1 ? 0 : a[index]! - b[index]!
}

async function isExecutable (path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(() => true, () => false)
}
