import type { Client } from 'minio'
import type { ListedObject } from './object-store.ts'

export interface Page {
  objects: ListedObject[]
  /** Token of the next page; undefined on the last page. */
  nextToken: string | undefined
}

/** `token`: from the previous page; empty: from the beginning. `after`: begin after this key. */
export type PageStart = { token: string } | { after: string }

export interface UnfinishedUpload {
  key: string
  uploadId: string
  startedMs: number
}

const pageSize = 1000

/**
 * Lists page by page, because the library's stream of a listing throws where no reader can catch it after the reader
 * has stopped.
 */
export async function listPage (client: Client, bucket: string, prefix: string, start: PageStart): Promise<Page> {
  const [token, after] = 'token' in start ? [start.token, ''] : ['', start.after]
  const { objects, isTruncated, nextContinuationToken } = await client.listObjectsV2Query(bucket, prefix, token, '',
    pageSize, after)
  return {
    objects: objects.map(({ name = '', size, lastModified }) => ({
      key: name,
      bytes: size,
      modifiedMs: lastModified?.getTime() ?? 0
    })),
    nextToken: isTruncated ? nextContinuationToken : undefined
  }
}

/** The oldest page of unfinished multipart uploads; the next sweep finds more. */
export async function listUploads (client: Client, bucket: string): Promise<UnfinishedUpload[]> {
  const { uploads } = await client.listIncompleteUploadsQuery(bucket, '', '', '', '')
  return uploads.map(({ key, uploadId, initiated }) => ({
    key,
    uploadId: String(uploadId),
    startedMs: new Date(initiated as Date).getTime()
  }))
}
