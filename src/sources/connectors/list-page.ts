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

/** An object has about 20 elements, with its owner, checksums and storage class. */
const maxElementsPerObject = 30
const maxOtherElements = 1_000
/** S3's own limit. */
const maxObjects = 1_000
const maxDepth = 6
/** A key of 1,024 bytes, each written as `%25`, is shorter. */
const maxTextLength = 4096
/** Characters that are parsed in one turn of the event loop. */
const pieceLength = 16 * 1024
/** Characters without a tag. */
const maxGap = 2 * pieceLength

/** The answer is not a page of a bucket's listing. */
export class UnreadableList extends Error {
  override name = 'UnreadableList'
}

/**
 * Parses the answer to ListObjectsV2 (S3's API reference) with `encoding-type=url` while it arrives: the store decides
 * what is in it, and this process has to answer others meanwhile. Rejects with UnreadableList. The caller limits the
 * bytes. `spend`: called with the milliseconds that each piece of the answer has cost.
 */
export async function readListPage (answer: AsyncIterable<Buffer>, spend: (cpuMs: number) => void): Promise<ListPage> {
  const page: ListPage = { objects: [], isTruncated: false }
  const parser = new SaxesParser()
  const path: string[] = []
  let object: ListedObject | undefined
  let text = ''
  let elements = 0
  let gap = 0
  const refuse = (why: string): never => {
    throw new UnreadableList(why)
  }
  // The error is thrown to end the parse, because saxes goes on after errors that it only reports.
  parser.on('error', (error) => refuse(error.message))
  // No store sends these; a long one costs many times as much as elements do.
  for (const kind of ['doctype', 'comment', 'processinginstruction', 'cdata'] as const) {
    parser.on(kind, () => refuse(kind))
  }
  const count = (): void => {
    const most = maxOtherElements + maxElementsPerObject * page.objects.length
    if (++elements > most) refuse('too many elements and attributes')
  }
  parser.on('attribute', count)
  parser.on('opentag', ({ name }: SaxesTagPlain) => {
    count()
    gap = 0
    if (path.length >= maxDepth) refuse('elements that are nested too deeply')
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
    gap = 0
    const name = path.pop()
    if (path.length === 1 && name === 'IsTruncated') page.isTruncated = text.trim() === 'true'
    if (object === undefined) return
    if (path.length === 1) {
      if (page.objects.push(object) > maxObjects) refuse('too many objects')
      object = undefined
    } else if (path.length === 2) {
      if (name === 'Key') object.key = decodeKey(text)
      else if (name === 'Size') object.size = text
      else if (name === 'ETag') object.etag = text.replace(/^"|"$/g, '')
      else if (name === 'LastModified') object.lastModified = text
    }
  })
  for await (const piece of pieces(answer, spend)) {
    gap += piece.length
    parser.write(piece)
    // The parser reports a comment or a text only when it ends.
    if (gap > maxGap) refuse('too much between two elements')
  }
  parser.close()
  if (elements === 0) refuse('nothing')
  return page
}

/** Lets others have a turn after each piece. `spend`: called with the milliseconds that the caller took for it. */
async function* pieces (answer: AsyncIterable<Buffer>, spend: (cpuMs: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of answer) {
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += pieceLength) {
      const startMs = performance.now()
      try {
        yield text.slice(at, at + pieceLength)
      } finally {
        spend(performance.now() - startMs)
      }
      await pause()
    }
  }
}

function decodeKey (text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new UnreadableList('a key that is not encoded as asked', { cause })
  }
}
