import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedServerError } from './queue-error.ts'

/** Fixed by the first start: after any restart, clients reconnect to the same address with the same token. */
export interface ServerState {
  port: number
  token: string
}

export function newToken (): string {
  // Hex needs no escaping inside the quotes of the configuration file.
  return randomBytes(24).toString('hex')
}

/** Undefined before the first start. A damaged file is an error, because a guess would strand the clients. */
export async function readServerState (folder: string): Promise<ServerState | undefined> {
  const path = statePath(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const state = parse(text)
  if (state === undefined) {
    throw new EmbeddedServerError(`${path} is damaged; remove it to start the queue with a new port and token`)
  }
  return state
}

export async function writeServerState (folder: string, state: ServerState): Promise<void> {
  await writePrivateFile(statePath(folder), `${JSON.stringify(state)}\n`)
}

/** Only the owner can ever read the file, and nobody sees it half written. */
export async function writePrivateFile (path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

function statePath (folder: string): string {
  return join(folder, 'server.json')
}

function parse (text: string): ServerState | undefined {
  try {
    const { port, token } = JSON.parse(text) as Partial<ServerState>
    return Number.isInteger(port) && (port as number) > 0 && (port as number) < 65_536 && typeof token === 'string'
      ? { port: port as number, token }
      : undefined
  } catch {
    return undefined
  }
}
