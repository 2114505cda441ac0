import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { objectCategories, objectStatuses } from '../../services/objects/object-record.ts'
import { actorOf } from '../actor.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { baseUrlOf } from '../base-url.ts'
import { identityOf } from '../identity-of.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { renderPreviewText } from '../render-preview.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { identifier } from '../schemas/identifier.ts'
import { noBody } from '../schemas/no-body.ts'
import { renderObject } from '../schemas/object.ts'

const maxFilenameBytes = 255
/** No deployment stores this much. Above the deployment's own limit the answer is a 413. */
const mostBytes = 2 ** 50

const tags = ['storage']
const params = Type.Object({ object_id: identifier() })
const answer = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(name) } }
})
const read = { access: { scope: 'storage', limits: ['read'] } } as const
const constant = { access: { ...read.access, constant: true } } as const

export async function storageRoutes (api: Api, context: RouteContext): Promise<void> {
  presignUpload(api, context)
  completeUpload(api, context)
  listObjects(api, context)
  getObject(api, context)
  presignDownload(api, context)
  previewObject(api, context)
  deleteObject(api, context)
}

const presignBody = closedObject({
  filename: Type.String({
    minLength: 1,
    maxLength: maxFilenameBytes,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: `File name of downloads, at most ${maxFilenameBytes} bytes. Its extension tells a forecast the format.`
  }),
  content_type: Type.String({
    minLength: 3,
    maxLength: 255,
    pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(; ?[A-Za-z0-9_-]+=[A-Za-z0-9_.+-]+)*$',
    description: 'Media type, such as text/csv.'
  }),
  file_size: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostBytes,
      description: 'Size in bytes. If given, the file must have exactly this size.'
    })
  ),
  category: Type.Enum(objectCategories, { default: 'raw', description: 'First part of the object key.' })
})

const upload = { access: { scope: 'storage', limits: ['upload'] } } as const

function presignUpload (api: Api, { config, services }: RouteContext): void {
  api.post('/storage/uploads/presign', {
    schema: {
      operationId: 'presignUpload',
      summary: 'Get an address for the upload of one file',
      tags,
      body: presignBody,
      response: {
        200: answer('Send the file to upload_url, with the method and the headers given here.', 'PresignedUpload'),
        ...errorResponses(...keyErrors, 409, 413, 415, 422)
      }
    },
    config: upload
  }, async (request, reply) => {
    const { tenant, keyId } = identityOf(request)
    const { filename, content_type: contentType, file_size: fileSize = null, category } = request.body
    if (Buffer.byteLength(filename) > maxFilenameBytes || /\p{Surrogate}/u.test(filename)) throw nameRefused(filename)
    const baseUrl = baseUrlOf(request, config)
    return await answerOnce(request, reply, services, async () => {
      const { record, url, headers } = await services.objects.presign(tenant, {
        keyId,
        filename,
        contentType,
        fileSize,
        category,
        baseUrl
      }, (tx, { objectId }) =>
        services.audit.append(tx, tenant, actorOf(request), {
          action: 'object.presign',
          target: objectId,
          outcome: 'success'
        }))
      return jsonAnswer(200, JSON.stringify({
        object_id: record.objectId,
        upload_url: url,
        expires_at: new Date(record.presignExpiresAtMs).toISOString(),
        method: 'PUT',
        required_headers: headers
      }))
    })
  })
}

const completeBody = closedObject({
  verify_object: Type.Boolean({
    default: true,
    description:
      'Whether to check now that the file exists and has the right size. false: the check happens at its first use.'
  }),
  expected_file_size: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: mostBytes }), Type.Null()], {
      description: 'Bytes that the file must have.'
    })
  )
})

function completeUpload (api: Api, { services }: RouteContext): void {
  api.post('/storage/uploads/:object_id/complete', {
    schema: {
      operationId: 'completeUpload',
      summary: 'Report that the file was sent; may be repeated',
      tags,
      params,
      body: completeBody,
      response: {
        200: answer('The object, uploaded.', 'StoredObject'),
        ...errorResponses(...keyErrors, 404, 409, 413, 415, 422)
      }
    },
    config: read
  }, async (request, reply) => {
    const { verify_object: verify, expected_file_size: expectedFileSize = null } = request.body
    const { tenant } = identityOf(request)
    return await answerOnce(request, reply, services, async () =>
      jsonAnswer(200, JSON.stringify(
        renderObject(
          await services.objects.complete(tenant, request.params.object_id, { verify, expectedFileSize },
            (tx, { objectId, status }) =>
              services.audit.append(tx, tenant, actorOf(request), {
                action: 'object.complete',
                target: objectId,
                outcome: status === 'failed' ? 'failure' : 'success'
              }))
        )
      )))
  })
}

const listQuery = closedObject({
  status: Type.Optional(Type.Enum(objectStatuses, { description: 'Only objects with this status.' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'At most this many objects are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: '`next_cursor` of the previous page; use the same filter.'
    })
  )
})

function listObjects (api: Api, { services }: RouteContext): void {
  api.get('/storage/objects', {
    schema: {
      operationId: 'listObjects',
      summary: 'List stored objects, newest first',
      tags,
      querystring: listQuery,
      response: {
        200: answer('One page. It may have fewer entries than the limit.', 'ObjectList'),
        ...errorResponses(...keyErrors, 422)
      }
    },
    config: read
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { cursorKey } = services.secrets
    const { status = null, limit, cursor } = request.query
    const binding = ['objects', tenant, status]
    const before = positionOf(cursorKey, binding, cursor)
    const { objects, next } = services.objects.list(tenant, { status, limit, before })
    return await reply.send({
      objects: objects.map(renderObject),
      next_cursor: next === null ? null : writeCursor(cursorKey, binding, next)
    })
  })
}

function getObject (api: Api, { services }: RouteContext): void {
  api.get('/storage/objects/:object_id', {
    schema: {
      operationId: 'getObject',
      summary: 'Get a stored object',
      tags,
      params,
      response: { 200: answer('The object.', 'StoredObject'), ...errorResponses(...keyErrors, 404) }
    },
    config: constant
  },
    async (request, reply) =>
      await reply.send(renderObject(services.objects.get(identityOf(request).tenant, request.params.object_id))))
}

function presignDownload (api: Api, { config, services }: RouteContext): void {
  api.get('/storage/objects/:object_id/download-url', {
    schema: {
      operationId: 'presignDownload',
      summary: 'Get an address for the download of the file',
      tags,
      params,
      response: {
        200: answer('Anyone with this address can read the file until it expires.', 'PresignedDownload'),
        ...errorResponses(...keyErrors, 404, 409, 413)
      }
    },
    config: constant
  }, async (request, reply) => {
    const { object_id: objectId } = request.params
    const { url, expiresAtMs } = await services.objects.downloadUrl(identityOf(request).tenant, objectId,
      baseUrlOf(request, config))
    return await reply.send({
      object_id: objectId,
      download_url: url,
      expires_at: new Date(expiresAtMs).toISOString(),
      method: 'GET'
    })
  })
}

function previewObject (api: Api, { services }: RouteContext): void {
  api.get('/storage/objects/:object_id/preview', {
    schema: {
      operationId: 'previewObject',
      summary: 'Preview the first rows of a CSV file',
      tags,
      params,
      response: {
        200: answer('What the service found in the file.', 'ObjectPreview'),
        ...errorResponses(...keyErrors, 404, 409, 413, 415, 422)
      }
    },
    config: { access: { ...read.access, computes: true } }
  }, async (request, reply) => {
    const { object_id: objectId } = request.params
    const preview = await services.objects.preview(identityOf(request).tenant, objectId)
    return await reply.header('content-type', 'application/json; charset=utf-8').send(
      renderPreviewText(objectId, preview)
    )
  })
}

function deleteObject (api: Api, { services }: RouteContext): void {
  api.delete('/storage/objects/:object_id', {
    schema: {
      operationId: 'deleteObject',
      summary: 'Delete an object; jobs that are reading it continue',
      tags,
      params,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: constant
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    await services.objects.delete(tenant, request.params.object_id,
      (tx, { objectId }) =>
        services.audit.append(tx, tenant, actorOf(request), {
          action: 'object.delete',
          target: objectId,
          outcome: 'success'
        }))
    return await reply.code(204).send(undefined)
  })
}

function nameRefused (input: string): TabcastError {
  const error = `the file name has to be text of at most ${maxFilenameBytes} bytes`
  return new TabcastError('validation_error', undefined, {
    fields: [{ loc: ['body', 'filename'], msg: error, type: 'value_error', input: input.slice(0, 200), ctx: { error } }]
  })
}
