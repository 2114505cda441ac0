import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'minio'
import { ulid } from 'ulid'
import { attachment } from './content-disposition.ts'
import { checkFolderKeys, checkKey, checkPrefix } from './object-key.ts'
import type { ByteRange, ListedObject, ListOptions, ObjectInfo, ObjectRead, ObjectStore, PutFileOptions, PutFolder,
  SignedGetOptions, SignedPut, SignedPutOptions } from './object-store.ts'
import { requiredPutHeaders } from './put-headers.ts'
import { connectS3, requestSignal, type S3Options } from './s3-client.ts'
import { s3ErrorCode, s3StoreError } from './s3-errors.ts'
import { listPage, listUploads, type Page, type PageStart } from './s3-listings.ts'
import { retryTransient } from './s3-retry.ts'
import { uploadBytes, uploadFile } from './s3-upload.ts'
import { encode, presign } from './sigv4.ts'
import { StoreError } from './store-error.ts'

export interface S3StoreOptions extends S3Options {
  /** The endpoint as clients reach it; signed addresses use it. */
  publicEndpoint: string
}

/** The prefix of probes; callers' keys cannot begin with a dot. */
const probePrefix = '.probe/'
/** How many uploads of one folder run at a time; each holds one part in memory. */
const putsAtOnce = 4

/** Objects in a bucket of an S3-compatible server, under the callers' keys. */
export class S3Store implements ObjectStore {
  readonly #options: S3StoreOptions
  readonly #client: Client
  readonly #signal: AbortSignal | undefined
  #probing: Promise<void> | undefined

  constructor (options: S3StoreOptions, client = connectS3(options), signal?: AbortSignal) {
    this.#options = options
    this.#client = client
    this.#signal = signal
  }

  within (signal: AbortSignal): ObjectStore {
    return new S3Store(this.#options, this.#client, signal)
  }

  async putFile (key: string, path: string, { ifAbsent = false, move = false }: PutFileOptions = {}): Promise<void> {
    checkKey(key)
    await this.#guarded(key, () => uploadFile(this.#target(key, ifAbsent), path))
    if (move) await rm(path, { force: true })
  }

  async putBytes (key: string, bytes: Uint8Array): Promise<void> {
    checkKey(key)
    await this.#guarded(key,
      () => uploadBytes(this.#target(key), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  }

  async putFolder (prefix: string, folder: PutFolder): Promise<void> {
    checkFolderKeys(prefix, folder)
    const waiting = [...folder.names]
    await Promise.all(Array.from({ length: putsAtOnce }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        await this.putFile(prefix + name, join(folder.path, name))
      }
    }))
    await this.putBytes(prefix + folder.last.name, folder.last.bytes)
  }

  async getToFile (key: string, path: string): Promise<void> {
    checkKey(key)
    await this.#guarded(key, () => this.#copyTo(key, path), retryTransient)
  }

  async pathOf (key: string): Promise<string | undefined> {
    checkKey(key)
    return undefined
  }

  async getBytes (key: string, maxBytes: number): Promise<Uint8Array> {
    checkKey(key)
    return await this.#guarded(key, async () => {
      const { stream, totalBytes } = await this.#get(key)
      if (totalBytes > maxBytes) {
        stream.destroy()
        throw new StoreError('too_large', `${key} has ${totalBytes} bytes, more than ${maxBytes}`)
      }
      const chunks: Buffer[] = []
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
      return Buffer.concat(chunks)
    }, retryTransient)
  }

  async openRead (key: string, range?: ByteRange): Promise<ObjectRead> {
    checkKey(key)
    if (range && (range.start < 0 || (range.end !== undefined && range.end < range.start))) {
      throw new StoreError('invalid_range', `${key}: no bytes ${range.start} to ${range.end}`)
    }
    const read = await this.#guarded(key, () => this.#get(key, range), retryTransient)
    if (range === undefined || read.totalBytes > 0) return read
    read.stream.destroy()
    throw new StoreError('invalid_range', `${key} is empty`)
  }

  async stat (key: string): Promise<ObjectInfo | undefined> {
    checkKey(key)
    try {
      return await this.#guarded(key, async () => {
        const { size, lastModified } = await this.#client.statObject(this.#options.bucket, key)
        return { bytes: size, modifiedMs: lastModified.getTime() }
      }, retryTransient)
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_found') return undefined
      throw error
    }
  }

  async *list (prefix: string,
    { maxSegments = Infinity }: ListOptions = {}): AsyncGenerator<ListedObject, void, undefined> {
    if (prefix !== '') checkPrefix(prefix)
    for await (const page of this.#pages(prefix, maxSegments)) {
      yield* page.filter(({ key }) => !key.startsWith('.') && key.slice(prefix.length).split('/').length <= maxSegments)
    }
  }

  async deleteKey (key: string): Promise<void> {
    checkKey(key)
    await this.#guarded(key, () => this.#client.removeObject(this.#options.bucket, key), retryTransient)
  }

  async deletePrefix (prefix: string): Promise<number> {
    checkPrefix(prefix)
    return await this.#deleteOld(prefix, Infinity)
  }

  signGet (key: string, { filename, contentType, expiresInSeconds }: SignedGetOptions): string {
    return this.#sign('GET', key, expiresInSeconds, {
      query: { 'response-content-disposition': attachment(filename), 'response-content-type': contentType }
    })
  }

  signPut (key: string, options: SignedPutOptions): SignedPut {
    const headers = requiredPutHeaders(options)
    return { url: this.#sign('PUT', key, options.expiresInSeconds, { headers }), headers }
  }

  /** One probe at a time; whoever asks during a probe shares its answer. */
  async probe (): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
    })
    await this.#probing
  }

  async sweepUnfinished (olderThanMs: number): Promise<number> {
    const { bucket } = this.#options
    const edge = Date.now() - olderThanMs
    let removed = await this.#deleteOld(probePrefix, edge)
    const uploads = await this.#guarded('unfinished uploads', () => listUploads(this.#client, bucket), retryTransient)
    for (const { key, uploadId, startedMs } of uploads) {
      if (startedMs > edge) continue
      await this.#guarded(key, () =>
        this.#client.abortMultipartUpload(bucket, key, encodeURIComponent(uploadId)).catch((error: unknown) => {
          if (s3ErrorCode(error) !== 'NoSuchUpload') {
            throw error
          }
        }), retryTransient)
      removed++
    }
    return removed
  }

  async #probe (): Promise<void> {
    const key = `${probePrefix}${ulid()}`
    await this.#guarded('probe', async () => {
      await uploadBytes(this.#target(key), Buffer.from('probe'))
      await this.#client.removeObject(this.#options.bucket, key)
    })
  }

  async #copyTo (key: string, path: string): Promise<void> {
    const { stream, bytes } = await this.#get(key)
    const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
      stream.destroy()
      throw error
    })
    try {
      await pipeline(stream, file.createWriteStream())
      const { size } = await stat(path)
      if (size !== bytes) throw Object.assign(new Error(`${size} of ${bytes} bytes came`), { code: 'ECONNRESET' })
    } catch (error) {
      // Without this, an incomplete copy would look like the object.
      await rm(path, { force: true })
      throw error
    }
  }

  /** Sizes are those of the server's headers; a stream that ends early ends with an error. */
  async #get (key: string, range?: ByteRange): Promise<ObjectRead> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ''}` }
    const response = await this.#client.makeRequestAsync({
      method: 'GET',
      bucketName: this.#options.bucket,
      objectName: key,
      headers
    }, '', [200, 206])
    const bytes = Number(response.headers['content-length'])
    if (!Number.isSafeInteger(bytes)) {
      response.destroy()
      throw new StoreError('unavailable', `${key}: the answer has no Content-Length`)
    }
    const whole = /\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1]
    return { stream: response, bytes, totalBytes: whole === undefined ? bytes : Number(whole) }
  }

  /** Deletes objects under the prefix that were last changed before `edgeMs`, a page at a time. */
  async #deleteOld (prefix: string, edgeMs: number): Promise<number> {
    let deleted = 0
    for await (const page of this.#pages(prefix)) {
      const keys = page.filter(({ modifiedMs }) => modifiedMs <= edgeMs).map(({ key }) => key)
      if (keys.length === 0) continue
      await this.#guarded(prefix, async () => {
        // The request succeeds even if some of its deletions do not.
        const failures = await this.#client.removeObjects(this.#options.bucket, keys) as Array<
          { Code?: string, Message?: string }
        >
        const failure = failures.find(({ Code: code }) => code !== 'NoSuchKey')
        if (failure !== undefined) throw Object.assign(new Error(failure.Message), { code: failure.Code })
      }, retryTransient)
      deleted += keys.length
    }
    return deleted
  }

  /** If a page ends deeper than `maxSegments`, the next one begins after that folder. */
  async *#pages (prefix: string, maxSegments = Infinity): AsyncGenerator<ListedObject[], void, undefined> {
    let from: PageStart | undefined = { token: '' }
    while (from !== undefined) {
      const start: PageStart = from
      const page: Page = await this.#guarded(prefix, () => listPage(this.#client, this.#options.bucket, prefix, start),
        retryTransient)
      if (page.nextToken !== undefined && 'token' in start && page.nextToken === start.token) {
        throw new StoreError('unavailable', `${prefix}: the list of the store does not go on`)
      }
      yield page.objects
      from = page.nextToken === undefined
        ? undefined
        : behindFolder(page, prefix, maxSegments) ?? { token: page.nextToken }
    }
  }

  #sign (method: 'GET' | 'PUT', key: string, expiresInSeconds: number,
    signed: { query?: Record<string, string>, headers?: Record<string, string> }): string {
    checkKey(key)
    const { publicEndpoint, bucket, region, accessKeyId, secretAccessKey } = this.#options
    const url = `${publicEndpoint}/${bucket}/${key.split('/').map(encode).join('/')}`
    return presign({
      method,
      url,
      expiresInSeconds,
      region,
      accessKeyId,
      secretAccessKey,
      nowMs: Date.now(),
      ...signed
    })
  }

  #target (key: string, ifAbsent = false) {
    const { bucket, endpoint } = this.#options
    return { client: this.#client, bucket, key, ifAbsent, signsBodies: new URL(endpoint).protocol === 'http:' }
  }

  async #guarded<R> (key: string, request: () => Promise<R>,
    repeat: (request: () => Promise<R>) => Promise<R> = (once) => once()): Promise<R> {
    try {
      return await requestSignal.run(this.#signal, async () => await repeat(request))
    } catch (error) {
      if (s3ErrorCode(error) !== 'NotFound') throw s3StoreError(error, key)
      // A response without a body does not say what is missing, and a missing bucket must not look like an empty one.
      await this.#checkBucket()
      throw new StoreError('not_found', `no object ${key}`, error)
    }
  }

  async #checkBucket (): Promise<void> {
    const { bucket } = this.#options
    const exists = await retryTransient(() => this.#client.bucketExists(bucket)).catch((error: unknown) => {
      throw s3StoreError(error, bucket)
    })
    if (!exists) throw new StoreError('unavailable', `there is no bucket ${bucket}`)
  }
}

/** Sorts after every segment of a key that this program makes. */
const behindAll = '~'

/**
 * The start after the folder in which a page ends too deep. Undefined if it does not, or if its last key was made by
 * another program and sorts even after that start.
 */
function behindFolder ({ objects }: Page, prefix: string, maxSegments: number): PageStart | undefined {
  const last = objects.at(-1)?.key ?? prefix
  const segments = last.slice(prefix.length).split('/')
  const after = `${prefix}${segments.slice(0, maxSegments).join('/')}/${behindAll}`
  return segments.length > maxSegments && Buffer.compare(Buffer.from(after), Buffer.from(last)) > 0
    ? { after }
    : undefined
}
