import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from 'minio'

/*
 * An object in parts, as S3's API reference has it (CreateMultipartUpload, UploadPart, CompleteMultipartUpload). The
 * library's own call goes on with an unfinished upload of the same key, which may be another writer's, reads lists for
 * as long as the server says that there is more, and hashes a part in one go.
 */

export interface Part {
  offset: number
  bytes: number
}

export interface MultipartUpload {
  client: Client
  bucket: string
  key: string
  size: number
  partBytes: number
  /** Of the object. */
  headers?: Record<string, string>
  /** Refuse when the key has an object by then: the server compares and writes in one step. */
  ifAbsent: boolean
  /**
   * An answer to the last request that was lost may stand for a write that happened; repeated, it is told as a failure.
   */
  isEndRepeated: boolean
  /** Makes a request, again where its failure may pass. */
  repeat: <T>(request: () => Promise<T>) => Promise<T>
  /** One try. `request`: what names the part; its body and what else goes with it are the caller's. */
  sendPart: (part: Part,
    request: { method: 'PUT', bucketName: string, objectName: string, query: string }) => Promise<IncomingMessage>
  /** Around the request that drops what was sent of an upload that failed. */
  drop?: (request: () => Promise<void>) => Promise<void>
}

export const maxParts = 10_000

/** Rejects with the server's error; `PreconditionFailed` when `ifAbsent` and there is an object. */
export async function uploadInParts (upload: MultipartUpload): Promise<void> {
  const { client, bucket, key, size, partBytes, isEndRepeated, repeat, sendPart, drop = (request) => request() } =
    upload
  const query = `uploadId=${encodeURIComponent(await repeat(() => begin(upload)))}`
  try {
    const etags: string[] = []
    for (let offset = 0; offset < size; offset += partBytes) {
      const part = { offset, bytes: Math.min(partBytes, size - offset) }
      const request = {
        method: 'PUT' as const,
        bucketName: bucket,
        objectName: key,
        query: `partNumber=${etags.length + 1}&${query}`
      }
      etags.push(await repeat(async () => etagOf(await sendPart(part, request))))
    }
    const end = () => complete(upload, query, etags)
    await (isEndRepeated ? repeat(end) : end())
  } catch (error) {
    // What cannot be dropped now stays until the bucket forgets unfinished uploads; the first error is the one to tell.
    await drop(async () => {
      await client.makeRequestAsyncOmit({ method: 'DELETE', bucketName: bucket, objectName: key, query }, '', [204])
    }).catch(() => undefined)
    throw error
  }
}

async function begin ({ client, bucket, key, headers = {} }: MultipartUpload): Promise<string> {
  const answer = await text(
    await client.makeRequestAsync({
      method: 'POST',
      bucketName: bucket,
      objectName: key,
      query: 'uploads',
      headers: { ...headers }
    })
  )
  const uploadId = /<UploadId>([^<&]{1,2048})<\/UploadId>/.exec(answer)?.[1]
  if (uploadId === undefined) throw noStore('began no upload')
  return uploadId
}

function etagOf (answer: IncomingMessage): string {
  answer.resume()
  const { etag = '' } = answer.headers
  if (!/^[!-%'-;=-~]{1,256}$/.test(etag)) throw noStore('did not name a part')
  return etag
}

async function complete ({ client, bucket, key, ifAbsent }: MultipartUpload, query: string,
  etags: string[]): Promise<void> {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${
    parts.join('')
  }</CompleteMultipartUpload>`
  const headers = ifAbsent ? { 'If-None-Match': '*' } : {}
  const answer = await text(
    await client.makeRequestAsync({ method: 'POST', bucketName: bucket, objectName: key, query, headers }, body)
  )
  // The server may have begun its answer with 200 before it knew.
  if (!answer.includes('<CompleteMultipartUploadResult')) {
    throw Object.assign(new Error('the parts did not become an object'), {
      code: /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1] ?? 'InternalError'
    })
  }
}

function noStore (what: string): Error {
  return Object.assign(new Error(`the server ${what}`), { code: 'MalformedXML' })
}
