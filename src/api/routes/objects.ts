import { maxHeaderSize, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { dataPaths } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { attachment } from '../../platform/store/content-disposition.ts'
import { objectOwnerOf, ownerOf } from '../../platform/store/keys.ts'
import { requiredPutHeaders } from '../../platform/store/put-headers.ts'
import { verifySignedGet, verifySignedPut, type SignedPutClaims, type SignedUrlRefusal,
  type SignedUrlVerdict } from '../../platform/store/signed-url.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { objectTooLarge } from '../../services/objects/object-errors.ts'
import type { Api, RouteContext } from '../api.ts'
import { parseByteRange, type RequestedRange } from '../byte-range.ts'
import { receiveObject } from '../receive-object.ts'
import { errorResponse, errorResponses } from '../schemas/error.ts'
import { fileContent, fileHeaders } from '../schemas/file.ts'
import { noBody } from '../schemas/no-body.ts'

/** The rest of the path is a key. Node answers 431 when address and headers are longer. */
const params = Type.Object({ '*': Type.String({ maxLength: maxHeaderSize }) })

/** Signed addresses of the local store. The signature is the credential, so no API key is needed. */
export async function objectRoutes (api: Api, context: RouteContext): Promise<void> {
  readSignedObject(api, context)
  // The body is the file, whatever its type.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', (_request, _payload, done) => done(null))
  writeSignedObject(api, context)
}

const contentTypes = ['text/csv', 'application/octet-stream', 'application/json']

function readSignedObject (api: Api, { services }: RouteContext): void {
  const verify = (request: FastifyRequest) =>
    verifySignedGet(services.secrets.urlKey, signedPath(request), request.query as Record<string, unknown>, Date.now())
  api.get('/objects/*', {
    schema: {
      operationId: 'readSignedObject',
      summary: 'Get a file by its signed address, the target of download redirects',
      tags: ['jobs'],
      security: [],
      params,
      response: {
        200: { description: 'The file.', headers: fileHeaders, content: fileContent(...contentTypes) },
        206: {
          description: 'The part that `Range` named.',
          headers: { ...fileHeaders, 'Content-Range': Type.String() },
          content: fileContent(...contentTypes)
        },
        ...errorResponses(404, 429),
        416: {
          ...errorResponse('The range starts after the end of the file'),
          headers: { 'Content-Range': Type.String() }
        },
        403: errorResponse('The address is wrong or has expired')
      }
    },
    config: { access: 'public', givesFiles: true, signerOf: (request) => signerOf(verify(request)) }
  }, async (request, reply) => {
    const verified = verify(request)
    if (!verified.ok) throw wrongAddress(verified.reason, 'Ask for the download again.')
    const { key, filename, contentType } = verified.claims
    const stored = objectOwnerOf(key)
    const owner = stored === undefined ? services.jobs : services.objects
    const info = owner.isReadable(key) ? await services.store.stat(key) : undefined
    if (info === undefined) throw gone()
    const range = rangeOf(request.headers, info.bytes)
    const bytes = range === undefined ? info.bytes : range.end - range.start + 1
    // Before the headers of the file, which no refusal may have.
    const send = request.method === 'HEAD' ? undefined : await reply.beginDownload(tenantOf(key), [{ bytes }])
    reply.headers({
      'content-type': contentType,
      'content-disposition': attachment(filename),
      'accept-ranges': 'bytes'
    })
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.bytes}`)
    reply.header('content-length', bytes)
    if (send === undefined) return await reply.send(Readable.from([]))
    try {
      const stream = await owner.openFile(key, range)
      if (stream === undefined) throw gone()
      return await reply.send(send(stream, 'file'))
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_found') throw gone()
      throw error
    }
  })
}

function writeSignedObject (api: Api, { config, services }: RouteContext): void {
  const { spool: folder } = dataPaths(config)
  const verify = (request: FastifyRequest) =>
    verifySignedPut(services.secrets.urlKey, signedPath(request), request.query as Record<string, unknown>, Date.now())
  api.put('/objects/*', {
    schema: {
      operationId: 'writeSignedObject',
      summary: 'Upload a file to its signed address, with exactly the required_headers',
      tags: ['storage'],
      security: [],
      params,
      response: {
        200: {
          ...noBody('Stored. Next, POST /storage/uploads/{object_id}/complete.'),
          headers: { ETag: Type.String() }
        },
        ...errorResponses(404, 408, 409, 412, 413, 415, 429),
        403: errorResponse('The address is wrong or has expired, or the headers differ from the signed ones')
      }
    },
    config: { access: 'public', takesFile: true, givesFiles: true, signerOf: (request) => signerOf(verify(request)) }
  }, async (request, reply) => {
    const verified = verify(request)
    if (!verified.ok) throw wrongAddress(verified.reason, 'Ask for a new upload: POST /storage/uploads/presign.')
    const { key, objectId, bytes } = verified.claims
    assertSignedHeaders(request.headers, verified.claims)
    const tooLarge = () => objectTooLarge(config.MAX_OBJECT_BYTES)
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > config.MAX_OBJECT_BYTES) throw tooLarge()
    const upload = await services.objects.beginUpload(key, announced)
    const tenant = objectOwnerOf(key)?.tenant
    const onBytes = (bytes: number): void => {
      if (tenant !== undefined) request.meterPassOf(tenant)
      upload.come(bytes)
    }
    const maxBytes = bytes ?? config.MAX_OBJECT_BYTES
    try {
      const limits = { maxBytes, tooLarge, onBytes, minBytesPerSecond: config.UPLOAD_MIN_BYTES_PER_SECOND }
      await receiveObject(request, { folder, ...limits }, (path, bytes) => upload.take(path, bytes))
    } finally {
      upload.end()
    }
    // A stored file never changes, so its id identifies the bytes.
    return await reply.header('etag', `"${objectId}"`).send(undefined)
  })
}

/** The path as it was signed, still percent-encoded. */
function signedPath ({ raw }: FastifyRequest): string {
  return (raw.url ?? '').slice('/objects/'.length).split('?', 1)[0] ?? ''
}

function signerOf (verified: SignedUrlVerdict<{ key: string }>): string | undefined {
  return verified.ok ? tenantOf(verified.claims.key) : undefined
}

function tenantOf (key: string): string {
  return (objectOwnerOf(key) ?? ownerOf(key)).tenant
}

function wrongAddress (reason: SignedUrlRefusal, suggestion: string): TabcastError {
  return new TabcastError('auth_failed',
    reason === 'expired' ? 'This address has expired.' : 'This address is not valid.', { status: 403, suggestion })
}

/** The part of the file that is asked for; undefined: all of it. */
function rangeOf (headers: IncomingHttpHeaders, bytes: number): RequestedRange | undefined {
  // Files have neither an ETag nor a date for If-Range to match, so its condition never holds.
  const range = headers['if-range'] === undefined ? parseByteRange(headers.range, bytes) : undefined
  if (range === 'unsatisfiable') {
    throw new TabcastError('validation_error', 'The range starts after the end of the file.', {
      status: 416,
      headers: { 'content-range': `bytes */${bytes}` }
    })
  }
  return range
}

/** Other stores compare these headers with the signature, so this one does too. */
function assertSignedHeaders (headers: IncomingHttpHeaders, claims: SignedPutClaims): void {
  if (!['', 'identity'].includes(headers['content-encoding']?.toLowerCase() ?? '')) {
    throw new TabcastError('validation_error', 'The body has a Content-Encoding, which this route does not take.', {
      status: 415,
      suggestion: 'Send the file as it is.',
      headers: { 'accept-encoding': 'identity' }
    })
  }
  const wrong = Object.entries(requiredPutHeaders(claims)).find(([name, value]) =>
    headers[name.toLowerCase()] !== value
  )
  if (wrong === undefined) return
  throw new TabcastError('auth_failed', `The header ${wrong[0]} is not the one that was signed.`, {
    status: 403,
    suggestion: 'Send exactly the required_headers of the presigned upload.'
  })
}

function gone (): TabcastError {
  return new TabcastError('not_found', 'This file no longer exists.')
}
