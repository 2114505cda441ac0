import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

export interface StoredBody {
  body: Buffer
  fetchedAtMs: number
}

const zip = promisify(gzip)
const unzip = promisify(gunzip)
/** Before the body: when it was fetched and when it expires, in milliseconds UTC. */
const headBytes = 16
const suffix = '.answer'
/** A partial file that is older than this was abandoned. */
const abandonedMs = 3_600_000

/**
 * Bodies of good answers, one per file, shared by all processes of a machine. A file's name is a digest of the
 * question, without keys; keys are never in a body either, because they are sent and not answered. A file is written
 * under another name and renamed, so it is whole or missing. gzip's checksum detects later damage; such a file counts
 * as missing. If there are more than `maxBytes`, whatever expires first is removed first; several processes may exceed
 * the limit by an eighth each. A full or unwritable disk only makes requests slower, and `onFailure` is told.
 */
export class DiskCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #maxBodyBytes: number
  readonly #now: () => number
  readonly #onFailure: (error: Error) => void
  #sinceSweep = Infinity

  constructor (
    { folder, maxBytes, maxBodyBytes, onFailure, now = Date.now }: { folder: string, maxBytes: number,
      maxBodyBytes: number, onFailure: (error: Error) => void, now?: () => number }
  ) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#maxBodyBytes = maxBodyBytes
    this.#onFailure = onFailure
    this.#now = now
  }

  /** undefined: the body is missing, expired or damaged. */
  async get (question: string): Promise<StoredBody | undefined> {
    const path = this.#path(question)
    let packed: Buffer
    try {
      packed = await readFile(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onFailure(error as Error)
      return undefined
    }
    let whole: Buffer
    try {
      whole = await unzip(packed, { maxOutputLength: this.#maxBodyBytes + headBytes })
    } catch (error) {
      this.#onFailure(error as Error)
      return undefined
    }
    if (whole.length < headBytes) return undefined
    const [fetchedAtMs, expiresAtMs] = [whole.readDoubleLE(0), whole.readDoubleLE(8)]
    return expiresAtMs > this.#now() ? { body: whole.subarray(headBytes), fetchedAtMs } : undefined
  }

  async set (question: string, { body, fetchedAtMs }: StoredBody, ttlMs: number): Promise<void> {
    if (ttlMs <= 0 || body.length > this.#maxBodyBytes) return
    const head = Buffer.alloc(headBytes)
    head.writeDoubleLE(fetchedAtMs, 0)
    head.writeDoubleLE(fetchedAtMs + ttlMs, 8)
    const path = this.#path(question)
    const partial = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const packed = await zip(Buffer.concat([head, body]))
      if (packed.length > this.#maxBytes / 8) return
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(partial, packed, { mode: 0o600, flag: 'wx' })
      // The modification time holds the expiry.
      await utimes(partial, this.#now() / 1000, (fetchedAtMs + ttlMs) / 1000)
      await rename(partial, path)
      this.#sinceSweep += packed.length
      if (this.#sinceSweep > this.#maxBytes / 8) await this.#sweep()
    } catch (error) {
      this.#onFailure(error as Error)
      await rm(partial, { force: true }).catch((failure: unknown) => this.#onFailure(failure as Error))
    }
  }

  async #sweep (): Promise<void> {
    this.#sinceSweep = 0
    const files: Array<{ path: string, bytes: number, expiresAtMs: number }> = []
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      // Another process may have removed it.
      const found = await stat(path).catch(() => undefined)
      if (found === undefined) continue
      if (name.endsWith(suffix)) files.push({ path, bytes: found.size, expiresAtMs: found.mtimeMs })
      else if (name.includes(`${suffix}.`) && found.ctimeMs < this.#now() - abandonedMs) await rm(path, { force: true })
    }
    files.sort((one, other) => one.expiresAtMs - other.expiresAtMs)
    // Leaves space for what is written until the next sweep.
    let over = files.reduce((sum, { bytes }) => sum + bytes, 0) - this.#maxBytes * 7 / 8
    for (const { path, bytes, expiresAtMs } of files) {
      if (over <= 0 && expiresAtMs > this.#now()) break
      await rm(path, { force: true })
      over -= bytes
    }
  }

  #path (question: string): string {
    return join(this.#folder, createHash('sha256').update(question).digest('hex') + suffix)
  }
}
