import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from 'minio'

/*
 * Uploads an object in parts, as S3's API reference describes it (CreateMultipartUpload, UploadPart,
 * CompleteMultipartUpload). The library's own call is not used: it continues an unfinished upload of the same key,
 * which may be another writer's, reads lists for as long as the server says that there is more, and hashes a whole part
 * in one go.
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
  /** Headers of the object. */
  headers?: Record<string, string>
  /** Refuses if the key has an object by then: the server compares and writes in one step. */
  ifAbsent: boolean
  /**
   * Whether to repeat the last request if its answer was lost. The write may have happened; then the repetition reports
   * a failure.
   */
  isEndRepeated: boolean
  /** Makes a request, and repeats it if its failure may pass. */
  repeat: <T>(request: () => Promise<T>) => Promise<T>
  /** Sends a part, once. `request` names the part; the caller adds the body and everything else. */
  sendPart: (part: Part,
    request: { method: 'PUT', bucketName: string, objectName: string, query: string }) => Promise<IncomingMessage>
  /** Wraps the request that drops the parts of a failed upload. */
  drop?: (request: () => Promise<void>) => Promise<void>
}

export const maxParts = 10_000

/** Rejects with the server's error: `PreconditionFailed` if `ifAbsent` is set and there is an object. */
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
    // Parts that cannot be dropped now stay until the bucket removes unfinished uploads. The first error is the one to
    // report.
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
  // The server may have sent status 200 before it knew the outcome.
  if (!answer.includes('<CompleteMultipartUploadResult')) {
    throw Object.assign(new Error('the parts did not become an object'), {
      code: /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1] ?? 'InternalError'
    })
  }
}

function noStore (what: string): Error {
  return Object.assign(new Error(`the server ${what}`), { code: 'MalformedXML' })
}
