import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One form of a file. */
interface Sent {
  bytes: Buffer
  /** The value of the ETag header, with quotes. It is the same on every machine that has these bytes. */
  etag: string
}

export interface DocumentationFile {
  type: string
  plain: Sent
  /** What the build packed, for the many who take gzip. */
  gzip?: Sent
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8'
}

/**
 * The files of a folder of pages, by their path within it, read into memory once; those that end with `.gz` unpacked as
 * well. Sent from disk, each would keep a file open for as long as a client does not read it.
 */
export async function readDocumentationFiles (folder: string): Promise<Map<string, DocumentationFile>> {
  const files = new Map<string, DocumentationFile>()
  const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new Error(`The pages cannot be read from ${folder}: \`make build\` makes them.`, { cause })
  })
  for (const name of names) {
    const isPacked = name.endsWith('.gz')
    const plainName = isPacked ? name.slice(0, -'.gz'.length) : name
    const type = types[extname(plainName)]
    if (type === undefined) continue
    const bytes = await readFile(join(folder, name))
    const plain = sent(isPacked ? gunzipSync(bytes) : bytes)
    files.set(plainName, { type, plain, ...isPacked && { gzip: sent(bytes) } })
  }
  return files
}

/** A document that is made while the service runs. Bytes, because a text would be copied for each slow reader. */
export function packedDocument (json: string): DocumentationFile {
  return { type: 'application/json; charset=utf-8', plain: sent(Buffer.from(json)), gzip: sent(gzipSync(json)) }
}

function sent (bytes: Buffer): Sent {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Sends the form that the client takes, or 304 if it has that already. */
export async function sendDocumentationFile (request: FastifyRequest, reply: FastifyReply,
  { type, plain, gzip }: DocumentationFile): Promise<FastifyReply> {
  if (gzip !== undefined) reply.header('vary', 'accept-encoding')
  const packed = takesGzip(request.headers['accept-encoding']) ? gzip : undefined
  const { bytes, etag } = packed ?? plain
  reply.header('etag', etag)
  if (isKnown(etag, request.headers['if-none-match'])) return await reply.code(304).send()
  if (packed !== undefined) reply.header('content-encoding', 'gzip')
  return await reply.type(type).send(bytes)
}

/** Whether a client has what the tag names, by its If-None-Match (RFC 9110, 13.1.2). */
function isKnown (etag: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

/** By its Accept-Encoding (RFC 9110, 12.5.3). */
function takesGzip (acceptEncoding: string | string[] = ''): boolean {
  return String(acceptEncoding).split(',').some((one) => {
    const [coding, ...weights] = one.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight))
  })
}
