import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Random secrets of one installation, 32 bytes each. Without the file every issued key, cursor and signed URL becomes
 * void.
 */
export interface Secrets {
  /** The key of the HMACs of API keys. */
  pepper: Buffer
  /** Signs list cursors. */
  cursorKey: Buffer
  /** Signs the URLs of locally stored objects. */
  urlKey: Buffer
}

/** The file cannot be used as it is; the message says what to do. */
export class SecretsError extends Error {
  override name = 'SecretsError'
}

const names = ['pepper', 'cursorKey', 'urlKey'] as const
const secretBytes = 32

/**
 * Reads the secrets, or creates them when the file does not exist. Only the owner may read the file; a file that others
 * can read is refused, because its secrets may be known.
 */
export function loadSecrets (path: string): Secrets {
  try {
    return readSecrets(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  createSecrets(path)
  return readSecrets(path)
}

/** Throws a SecretsError if the file cannot be used, and an error of the file system if it cannot be read. */
export function readSecrets (path: string): Secrets {
  const text = readFileSync(path, 'utf8')
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new SecretsError(`${path}: readable by others than its owner; chmod 600 it, or delete it to replace all keys`)
  }
  let stored: Record<string, unknown> | null
  try {
    stored = JSON.parse(text) as Record<string, unknown> | null
  } catch (cause) {
    throw new SecretsError(`${path}: not JSON`, { cause })
  }
  const read = (name: typeof names[number]): Buffer => {
    const value = Buffer.from(String(stored?.[name] ?? ''), 'base64')
    if (value.length !== secretBytes) throw new SecretsError(`${path}: ${name} must be ${secretBytes} bytes in base64`)
    return value
  }
  return { pepper: read('pepper'), cursorKey: read('cursorKey'), urlKey: read('urlKey') }
}

/**
 * The file is complete before it gets its name, and never replaces an existing one. Of two processes that start at
 * once, one wins.
 */
function createSecrets (path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const secrets = Object.fromEntries(names.map((name) => [name, randomBytes(secretBytes).toString('base64')]))
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, JSON.stringify({ v: 1, ...secrets }, null, 2) + '\n')
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
