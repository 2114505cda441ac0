import type { Readable } from 'node:stream'
import { setImmediate as pause } from 'node:timers/promises'
import { SaxesParser, type SaxesTagPlain } from 'saxes'

export interface ListedObject {
  key: string
  size: string
  etag: string
  lastModified: string
}
export interface ListPage {
  objects: ListedObject[]
  isTruncated: boolean
}

/** A page of 1,000 keys with owners, checksums and storage classes has about 20,000 elements. */
const maxElements = 50_000
const maxDepth = 6
/** A key of 1,024 bytes, each written as `%25`, is shorter. */
const maxTextLength = 4096

/** The answer is not a page of a bucket's listing. */
export class UnreadableList extends Error {
  override name = 'UnreadableList'
}

/**
 * Parses the answer to ListObjectsV2 (S3's API reference) with `encoding-type=url` while it arrives: the store decides
 * what is in it, and this process has to answer others meanwhile. Rejects with UnreadableList. The caller limits the
 * bytes.
 */
export async function readListPage (answer: Readable): Promise<ListPage> {
  const page: ListPage = { objects: [], isTruncated: false }
  const parser = new SaxesParser()
  const path: string[] = []
  let object: ListedObject | undefined
  let text = ''
  let elements = 0
  const refuse = (why: string): never => {
    throw new UnreadableList(why)
  }
  // The error is thrown to end the parse, because saxes goes on after errors that it only reports.
  parser.on('error', (error) => refuse(error.message))
  parser.on('doctype', () => refuse('a document type'))
  parser.on('attribute', () => {
    if (++elements > maxElements) refuse('too many attributes')
  })
  parser.on('opentag', ({ name }: SaxesTagPlain) => {
    if (++elements > maxElements || path.length >= maxDepth) refuse('too many elements')
    if (path.length === 0 && name !== 'ListBucketResult') refuse('no ListBucketResult')
    path.push(name)
    text = ''
    if (path.length === 2 && name === 'Contents') object = { key: '', size: '', etag: '', lastModified: '' }
  })
  parser.on('text', (more) => {
    text += more
    if (text.length > maxTextLength) refuse('a text that is too long')
  })
  parser.on('closetag', () => {
    const name = path.pop()
    if (path.length === 1 && name === 'IsTruncated') page.isTruncated = text.trim() === 'true'
    if (object === undefined) return
    if (path.length === 1) {
      page.objects.push(object)
      object = undefined
    } else if (path.length === 2) {
      if (name === 'Key') object.key = decodeKey(text)
      else if (name === 'Size') object.size = text
      else if (name === 'ETag') object.etag = text.replace(/^"|"$/g, '')
      else if (name === 'LastModified') object.lastModified = text
    }
  })
  answer.setEncoding('utf8')
  for await (const chunk of answer) {
    parser.write(chunk as string)
    await pause()
  }
  parser.close()
  if (elements === 0) refuse('nothing')
  return page
}

function decodeKey (text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new UnreadableList('a key that is not encoded as asked', { cause })
  }
}
