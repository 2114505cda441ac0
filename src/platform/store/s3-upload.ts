import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setImmediate as pause } from 'node:timers/promises'
import type { Client } from 'minio'
import { TenantLanes } from '../turns/tenant-lanes.ts'
import { objectOwnerOf, ownerOf } from './keys.ts'
import { requestSignal } from './s3-client.ts'
import { retryTransient } from './s3-retry.ts'
import { StoreError } from './store-error.ts'

/*
 * Uploads from buffers of known size only, each with its checksum. The library's own upload of a stream stores a short
 * stream as if it were whole, never settles when its source breaks, and goes on with an unfinished upload of the same key,
 * which may be another writer's.
 */

const partBytes = 16 * 1024 * 1024
const maxParts = 10_000
const smallBytes = 1024 * 1024
/** Parts in the memory of this process: as many large ones, and small files, which wait for the server more than for their bytes. */
const lanes = { small: new TenantLanes(Infinity, 128), large: new TenantLanes(Infinity, 8) }
/** Hashed at a time. */
const hashedBytes = 1024 * 1024

export interface UploadTarget {
  client: Client
  bucket: string
  key: string
  /** Refuse when the key has an object: the server compares and writes in one step. */
  ifAbsent: boolean
}

/** Rejects with the server's error; `PreconditionFailed` when `ifAbsent` and there is an object. */
export async function uploadBytes (target: UploadTarget, bytes: Buffer): Promise<void> {
  const { client, bucket, key, ifAbsent } = target
  const headers = { ...condition(ifAbsent), 'Content-MD5': await md5(bytes) }
  const send = () => client.makeRequestAsyncOmit({ method: 'PUT', bucketName: bucket, objectName: key, headers }, bytes)
  // An answer that was lost may stand for a write that happened: repeated, the condition would refuse our own object.
  await (ifAbsent ? send() : retryTransient(send))
}

/** A file that fits one part goes in one request; a larger one in parts that become the object together. */
export async function uploadFile (target: UploadTarget, path: string): Promise<void> {
  const handle = await openSource(path)
  try {
    const { size } = await handle.stat()
    if (size <= partBytes) await inMemory(target, size, async () => await uploadBytes(target, await readExactly(handle, 0, size, path)))
    else await uploadParts(target, handle, size, path)
  } finally {
    await handle.close()
  }
}

/** In the turn of its tenant: of uploads that end together each would have its part in memory. */
async function inMemory<T> ({ key }: UploadTarget, bytes: number, upload: () => Promise<T>): Promise<T> {
  const tenant = objectOwnerOf(key)?.tenant ?? ownerOf(key).tenant
  return await lanes[bytes <= smallBytes ? 'small' : 'large'].take(tenant, upload) as T
}

async function uploadParts (target: UploadTarget, handle: FileHandle, size: number, path: string): Promise<void> {
  const { client, bucket, key } = target
  const partSize = Math.max(partBytes, Math.ceil(size / maxParts))
  const uploadId = String(await retryTransient(() => client.initiateNewMultipartUpload(bucket, key, {})))
  try {
    const etags: string[] = []
    for (let offset = 0; offset < size; offset += partSize) {
      etags.push(await inMemory(target, partSize, async () => {
        const bytes = await readExactly(handle, offset, Math.min(partSize, size - offset), path)
        return await retryTransient(() => uploadPart(target, uploadId, etags.length + 1, bytes))
      }))
    }
    // As for one request. Repeated after a lost answer it finds no such upload; then the caller repeats the whole.
    const complete = () => completeUpload(target, uploadId, etags)
    await (target.ifAbsent ? complete() : retryTransient(complete))
  } catch (error) {
    // What cannot be aborted now is found by the sweep of unfinished uploads; the first error is the one to tell.
    await requestSignal.run(undefined, () => client.abortMultipartUpload(bucket, key, encodeURIComponent(uploadId)).catch(() => undefined))
    throw error
  }
}

async function uploadPart ({ client, bucket, key }: UploadTarget, uploadId: string, partNumber: number, bytes: Buffer): Promise<string> {
  const query = `partNumber=${partNumber}&uploadId=${encodeURIComponent(uploadId)}`
  const answer = await client.makeRequestAsyncOmit({ method: 'PUT', bucketName: bucket, objectName: key, query, headers: { 'Content-MD5': await md5(bytes) } }, bytes)
  return answer.headers.etag ?? ''
}

async function completeUpload ({ client, bucket, key, ifAbsent }: UploadTarget, uploadId: string, etags: string[]): Promise<void> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
  const answer = await text(await client.makeRequestAsync(
    { method: 'POST', bucketName: bucket, objectName: key, query: `uploadId=${encodeURIComponent(uploadId)}`, headers: condition(ifAbsent) }, body
  ))
  // The server may have begun its answer with 200 before it knew.
  if (!answer.includes('<CompleteMultipartUploadResult')) {
    throw Object.assign(new Error('the parts did not become an object'), { code: /<Code>(\w+)<\/Code>/.exec(answer)?.[1] ?? 'InternalError' })
  }
}

function condition (ifAbsent: boolean): Record<string, string> {
  return ifAbsent ? { 'If-None-Match': '*' } : {}
}

async function openSource (path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r')
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
    throw new Error('not a file')
  } catch (cause) {
    throw new StoreError('unavailable', `${path}: the file to store cannot be read: ${(cause as Error).message}`, cause)
  }
}

/** A file that is shorter than it was is being changed; storing what is left would store something that never was. */
async function readExactly (handle: FileHandle, offset: number, bytes: number, path: string): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes)
  for (let filled = 0; filled < bytes;) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, offset + filled)
    if (bytesRead === 0) throw new StoreError('unavailable', `${path}: the file to store became shorter while it was read`)
    filled += bytesRead
  }
  return buffer
}

/** A part whole takes 30 ms, in which nobody else has a turn. */
async function md5 (bytes: Buffer): Promise<string> {
  const hash = createHash('md5')
  for (let from = 0; from < bytes.length; from += hashedBytes) {
    if (from > 0) await pause()
    hash.update(bytes.subarray(from, from + hashedBytes))
  }
  return hash.digest('base64')
}
