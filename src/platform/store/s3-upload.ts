import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as pause } from 'node:timers/promises'
import type { Client } from 'minio'
import { TenantLanes } from '../turns/tenant-lanes.ts'
import { objectOwnerOf, ownerOf } from './keys.ts'
import { maxParts, uploadInParts } from './multipart.ts'
import { requestSignal } from './s3-client.ts'
import { retryTransient } from './s3-retry.ts'
import { StoreError } from './store-error.ts'

/*
 * Only buffers of known size are uploaded, each with its checksum. The library's own upload of a stream stores a short
 * stream as if it were complete, and never settles if its source breaks.
 */

const partBytes = 16 * 1024 * 1024
const smallBytes = 1024 * 1024
/**
 * How many parts are in this process's memory: few large ones, and many small files, which wait for the server more
 * than for their bytes.
 */
const lanes = { small: new TenantLanes(Infinity, 128), large: new TenantLanes(Infinity, 8) }
/** How many bytes are hashed at a time. */
const hashedBytes = 1024 * 1024

export interface UploadTarget {
  client: Client
  bucket: string
  key: string
  /** Refuses if the key has an object: the server compares and writes in one step. */
  ifAbsent: boolean
  /** Bodies are hashed for the signature only if no TLS protects them. */
  signsBodies: boolean
}

/** Rejects with the server's error: `PreconditionFailed` if `ifAbsent` is set and there is an object. */
export async function uploadBytes (target: UploadTarget, bytes: Buffer): Promise<void> {
  const { bucket, key, ifAbsent } = target
  const headers: Record<string, string> = ifAbsent ? { 'If-None-Match': '*' } : {}
  const send = () => put(target, { method: 'PUT', bucketName: bucket, objectName: key, headers }, bytes)
  // If an answer was lost, the write may have happened. With the condition, a repetition would refuse our own object.
  await (ifAbsent ? send() : retryTransient(send))
}

/** A file that fits one part goes in one request; a larger one is uploaded in parts. */
export async function uploadFile (target: UploadTarget, path: string): Promise<void> {
  const size = await sizeOf(path)
  if (size <= partBytes) {
    await inMemory(target, size, async () => await uploadBytes(target, await readExactly(path, 0, size)))
    return
  }
  const partSize = Math.max(partBytes, Math.ceil(size / maxParts))
  await uploadInParts({
    ...target,
    size,
    partBytes: partSize,
    // As in `uploadBytes`: with the condition, a repetition might be refused because of our own object. Without it, a
    // repetition after a lost answer finds no such upload, and the caller repeats the whole.
    isEndRepeated: !target.ifAbsent,
    repeat: retryTransient,
    sendPart: async ({ offset, bytes }, request) =>
      await inMemory(target, partSize, async () => await put(target, request, await readExactly(path, offset, bytes))),
    // Runs without the signal, so that an aborted upload is dropped too.
    drop: (request) => requestSignal.run(undefined, request)
  })
}

/** Waits for the tenant's turn. Otherwise each of many uploads would have its part in memory, and its file open. */
async function inMemory<T> ({ key }: UploadTarget, bytes: number, upload: () => Promise<T>): Promise<T> {
  const tenant = objectOwnerOf(key)?.tenant ?? ownerOf(key).tenant
  return await lanes[bytes <= smallBytes ? 'small' : 'large'].take(tenant, upload) as T
}

type PutRequest = Parameters<Client['makeRequestStreamAsync']>[0]

/** Hashes the body here, because the library would do it in one go. */
async function put ({ client, signsBodies }: UploadTarget, request: PutRequest,
  bytes: Buffer): Promise<IncomingMessage> {
  const { md5, sha256 } = await hashesOf(bytes, signsBodies)
  const headers = { ...request.headers, 'content-length': String(bytes.length), 'Content-MD5': md5 }
  const answer = await client.makeRequestStreamAsync({ ...request, headers }, bytes, sha256, [200], '')
  await text(answer)
  return answer
}

async function sizeOf (path: string): Promise<number> {
  const found = await stat(path).catch(cannotBeRead(path))
  return found.isFile() ? found.size : cannotBeRead(path)(new Error('not a file'))
}

/** A file that became shorter is being changed. Storing the rest would store something that never existed. */
async function readExactly (path: string, offset: number, bytes: number): Promise<Buffer> {
  const handle = await open(path, 'r').catch(cannotBeRead(path))
  try {
    const buffer = Buffer.allocUnsafe(bytes)
    for (let filled = 0; filled < bytes;) {
      const { bytesRead } = await handle.read(buffer, filled, bytes - filled, offset + filled)
      if (bytesRead === 0) {
        throw new StoreError('unavailable', `${path}: the file to store became shorter while it was read`)
      }
      filled += bytesRead
    }
    return buffer
  } finally {
    await handle.close()
  }
}

function cannotBeRead (path: string): (cause: unknown) => never {
  return (cause) => {
    throw new StoreError('unavailable', `${path}: the file to store cannot be read: ${(cause as Error).message}`, cause)
  }
}

/** Hashing a whole part takes 30 ms, in which no other request gets a turn. `sha256`: empty if it is not signed. */
async function hashesOf (bytes: Buffer, signsBodies: boolean): Promise<{ md5: string, sha256: string }> {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  for (let from = 0; from < bytes.length; from += hashedBytes) {
    if (from > 0) await pause()
    const piece = bytes.subarray(from, from + hashedBytes)
    md5.update(piece)
    if (signsBodies) sha256.update(piece)
  }
  return { md5: md5.digest('base64'), sha256: signsBodies ? sha256.digest('hex') : '' }
}
