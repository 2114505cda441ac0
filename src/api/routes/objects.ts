import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { TabcastError } from '../../errors.ts'
import { ownerOf } from '../../store/keys.ts'
import { verifySignedGet } from '../../store/signed-url.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Api, RouteContext } from '../api.ts'
import { parseByteRange } from '../byte-range.ts'
import { attachment } from '../../content-disposition.ts'
import { errorResponse, errorResponses } from '../schemas/error.ts'
import { fileContent, fileHeaders } from '../schemas/file.ts'

const contentTypes = ['text/csv', 'application/octet-stream', 'application/json']

/** Signed addresses of the local store. The signature is the credential: no key is asked for. */
export async function objectRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/objects/*', {
    schema: {
      operationId: 'readSignedObject',
      summary: 'A file by its signed address, as a download redirects to it',
      tags: ['jobs'],
      security: [],
      response: {
        200: { description: 'The file.', headers: fileHeaders, content: fileContent(...contentTypes) },
        206: {
          description: 'The part that `Range` named.',
          headers: { ...fileHeaders, 'Content-Range': Type.String() },
          content: fileContent(...contentTypes)
        },
        ...errorResponses(404),
        416: { ...errorResponse('The range lies behind the end of the file'), headers: { 'Content-Range': Type.String() } },
        403: errorResponse('The address is wrong or has expired')
      }
    },
    config: { access: 'public', givesFiles: true }
  }, async (request, reply) => {
    const path = (request.raw.url ?? '').slice('/objects/'.length).split('?', 1)[0] ?? ''
    const verified = verifySignedGet(services.secrets.urlKey, path, request.query as Record<string, unknown>, Date.now())
    if (!verified.ok) throw new TabcastError('auth_failed', verified.reason === 'expired' ? 'This address has expired.' : 'This address is not valid.', { status: 403, suggestion: 'Ask for the download again.' })
    const { key, filename, contentType } = verified.claims
    const { tenant, jobId } = ownerOf(key)
    const info = services.jobs.get(tenant, jobId) === undefined ? undefined : await services.store.stat(key)
    if (info === undefined) throw gone()
    // Files have no ETag and no date that If-Range could match, so that its condition never holds.
    const range = request.headers['if-range'] === undefined ? parseByteRange(request.headers.range, info.bytes) : undefined
    if (range === 'unsatisfiable') {
      throw new TabcastError('validation_error', 'The range lies behind the end of the file.', { status: 416, headers: { 'content-range': `bytes */${info.bytes}` } })
    }
    reply.headers({ 'content-type': contentType, 'content-disposition': attachment(filename), 'accept-ranges': 'bytes' })
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.bytes}`)
    reply.header('content-length', range === undefined ? info.bytes : range.end - range.start + 1)
    if (request.method === 'HEAD') return await reply.send(Readable.from([]))
    try {
      const stream = await services.jobs.openFile(key, range)
      if (stream === undefined) throw gone()
      return await reply.send(stream)
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_found') throw gone()
      throw error
    }
  })
}

function gone (): TabcastError {
  return new TabcastError('not_found', 'There is no such file any more.')
}
