import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync,
  writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Keys that wrap data keys, by id; `active` wraps new ones. */
export interface Keyring {
  active: string
  keys: ReadonlyMap<string, Buffer>
}

/** The file cannot be used as it is; the message says what to do. */
export class KeyringError extends Error {
  override name = 'KeyringError'
}

const keyBytes = 32
const idShape = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Reads `{active, keys: {id: base64}}`. Refuses a file that others than its owner can read, because its keys may be
 * known.
 */
export function readKeyring (path: string): Keyring {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new KeyringError(`${path}: ${(cause as Error).message}`, { cause })
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new KeyringError(`${path}: readable by others than its owner; chmod 600 it, and rotate its keys`)
  }
  let parsed: { active?: unknown, keys?: unknown }
  try {
    parsed = JSON.parse(text) as typeof parsed
  } catch (cause) {
    throw new KeyringError(`${path}: not JSON`, { cause })
  }
  const keys = new Map<string, Buffer>()
  for (const [id, value] of Object.entries((parsed?.keys ?? {}) as Record<string, unknown>)) {
    const key = Buffer.from(String(value), 'base64')
    if (!idShape.test(id)) throw new KeyringError(`${path}: a key's id is 1 to 64 letters, digits, ".", "_" or "-"`)
    if (key.length !== keyBytes) throw new KeyringError(`${path}: key ${id} must be ${keyBytes} bytes in base64`)
    keys.set(id, key)
  }
  const active = String(parsed?.active ?? '')
  if (!keys.has(active)) throw new KeyringError(`${path}: active names no key of the file`)
  return { active, keys }
}

/**
 * Makes a keyring with one random key, unless the file exists. The file is complete before it gets its name, so of two
 * processes one wins.
 */
export function createKeyring (path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = writeTemporary(path, { active: newId(), keys: new Map() })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
  syncFolder(dirname(path))
}

/**
 * Adds a random key and makes it the active one. The others stay, so that what they wrapped can be read. Returns the
 * id.
 */
export function addKey (path: string): string {
  const { keys } = readKeyring(path)
  const id = newId()
  renameSync(writeTemporary(path, { active: id, keys }), path)
  syncFolder(dirname(path))
  return id
}

/** Removes the inactive keys; call it once they wrap nothing any more. */
export function dropOldKeys (path: string): void {
  const { active, keys } = readKeyring(path)
  renameSync(writeTemporary(path, { active, keys: new Map([...keys].filter(([id]) => id === active)) }), path)
  syncFolder(dirname(path))
}

function newId (): string {
  return `k-${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`
}

/** Gives `active` a random key if it has none. */
function writeTemporary (path: string, { active, keys }: Keyring): string {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const all = new Map(keys)
  if (!all.has(active)) all.set(active, randomBytes(keyBytes))
  const text = JSON.stringify({
    active,
    keys: Object.fromEntries([...all].map(([id, key]) => [id, key.toString('base64')]))
  }, null, 2)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return temporary
}

function syncFolder (path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
