import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import type { ConnectionRecord } from '../../services/connections/connection-record.ts'
import { resolveDataset } from '../../services/connections/resolve-dataset.ts'
import type { Answer } from '../../services/idempotency/idempotency.ts'
import { actorOf } from '../actor.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import type { Access } from '../plugins/access.ts'
import { renderAuditText, renderConnection, renderObjects, renderTest, renderValidation } from '../render-connection.ts'
import { connectionChangeSchema, datasetSchema, newConnectionSchema,
  newCredentialsSchema } from '../schemas/connection.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { identifier } from '../schemas/identifier.ts'
import { noBody } from '../schemas/no-body.ts'
import { defined } from '../../platform/defined.ts'
const tags = ['connections']
const params = Type.Object({ connection_id: identifier() })
const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 2048, description: '`next_cursor` of the previous page.' })
)

const access = { scope: 'connections', tenant: true, limits: ['read'] } as const
const writing: Access = { scope: 'connections', tenant: true, limits: ['create'] }
/** A worker does the work while the caller waits. */
const asking: Access = { scope: 'connections', tenant: true, limits: ['create'], computes: true }
/** Requests to a worker may fail like the customer's store. */
const storeErrors = [404, 413, 429, 502, 504]

const answer = (schema: string, description: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(schema) } }
})

export async function connectionRoutes (api: Api, context: RouteContext): Promise<void> {
  createConnection(api, context)
  listConnections(api, context)
  getConnectionAudit(api, context)
  getConnection(api, context)
  changeConnection(api, context)
  rotateConnectionCredentials(api, context)
  deleteConnection(api, context)
  testConnection(api, context)
  validateConnection(api, context)
  listConnectionObjects(api, context)
}

function createConnection (api: Api, { services }: RouteContext): void {
  api.post('/data-connections', {
    schema: {
      operationId: 'createConnection',
      summary: 'Create a connection to your own store',
      tags,
      body: newConnectionSchema,
      response: {
        201: answer('Connection', 'The connection, untested.'),
        ...errorResponses(...keyErrors, 409, 413, 415, 422)
      }
    },
    config: { access: writing }
  }, async (request, reply) => {
    const { connector_type: connectorType, name, object_storage: objectStorage } = request.body
    const connection = { connectorType, name, objectStorage }
    return await answerOnce(request, reply, services, async (save) =>
      created(
        await services.connections.create(identityOf(request).tenant, actorOf(request), connection,
          (tx, record) => save(tx, created(record)))
      ))
  })
}

const listQuery = closedObject({ limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }), cursor })

function listConnections (api: Api, { services }: RouteContext): void {
  api.get('/data-connections', {
    schema: {
      operationId: 'listConnections',
      summary: 'List connections, oldest first',
      tags,
      querystring: listQuery,
      response: { 200: answer('ConnectionList', 'One page.'), ...errorResponses(...keyErrors, 422) }
    },
    config: { access }
  }, (request, reply) => {
    const { tenant } = identityOf(request)
    const binding = [tenant, 'connections']
    const { connections: page, next } = services.connections.list(tenant, request.query.limit,
      positionOf(services.secrets.cursorKey, binding, request.query.cursor))
    return reply.send({
      connections: page.map(renderConnection),
      next_cursor: next === null ? null : writeCursor(services.secrets.cursorKey, binding, next)
    })
  })
}

const json = 'application/json; charset=utf-8'

const auditQuery = closedObject({
  connection_id: Type.String({ maxLength: 64 }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
  cursor
})

function getConnectionAudit (api: Api, { services }: RouteContext): void {
  api.get('/data-connections/audit', {
    schema: {
      operationId: 'getConnectionAudit',
      summary: 'List what was done with a connection, newest first; kept after its deletion',
      tags,
      querystring: auditQuery,
      response: { 200: answer('ConnectionAudit', 'One page.'), ...errorResponses(...keyErrors, 404, 422) }
    },
    config: { access }
  }, (request, reply) => {
    const { tenant } = identityOf(request)
    const { connection_id: connectionId, limit } = request.query
    const binding = [tenant, 'audit', connectionId]
    const before = positionOf(services.secrets.cursorKey, binding, request.query.cursor)
    const { records, next } = services.connections.audit(tenant, connectionId, limit,
      before === null ? null : Number(before))
    return reply.header('content-type', json).send(
      renderAuditText(connectionId, records,
        next === null ? null : writeCursor(services.secrets.cursorKey, binding, String(next)))
    )
  })
}

function getConnection (api: Api, { services }: RouteContext): void {
  api.get('/data-connections/:connection_id', {
    schema: {
      operationId: 'getConnection',
      summary: 'Get a connection',
      tags,
      params,
      response: { 200: answer('Connection', 'The connection, without secrets.'), ...errorResponses(...keyErrors, 404) }
    },
    config: { access: { ...access, constant: true } }
  },
    (request, reply) =>
      reply.send(renderConnection(services.connections.get(identityOf(request).tenant, request.params.connection_id))))
}

function changeConnection (api: Api, { services }: RouteContext): void {
  api.patch('/data-connections/:connection_id', {
    schema: {
      operationId: 'changeConnection',
      summary: 'Change a connection; if it points elsewhere, it is untested again',
      description: 'A change of provider, endpoint_url or auth_method needs the credentials in the same call.',
      tags,
      params,
      body: connectionChangeSchema,
      response: {
        200: answer('Connection', 'The connection as it is now.'),
        ...errorResponses(...keyErrors, 404, 413, 415, 422)
      }
    },
    config: { access: writing }
  }, async (request, reply) => {
    const { name, object_storage: objectStorage } = request.body
    const change = defined({ name, objectStorage })
    return await reply.send(
      renderConnection(
        await services.connections.update(identityOf(request).tenant, actorOf(request), request.params.connection_id,
          change)
      )
    )
  })
}

function rotateConnectionCredentials (api: Api, { services }: RouteContext): void {
  api.post('/data-connections/:connection_id/credentials', {
    schema: {
      operationId: 'rotateConnectionCredentials',
      summary: 'Replace the credentials of a connection',
      tags,
      params,
      body: newCredentialsSchema,
      response: {
        200: answer('Connection', 'The connection, untested.'),
        ...errorResponses(...keyErrors, 404, 409, 413, 415, 422)
      }
    },
    config: { access: writing }
  }, async (request, reply) => {
    const { params, body } = request
    return await answerOnce(request, reply, services, async () =>
      ok(
        renderConnection(
          await services.connections.rotate(identityOf(request).tenant, actorOf(request), params.connection_id,
            body.credentials)
        )
      ))
  })
}

function deleteConnection (api: Api, { services }: RouteContext): void {
  api.delete('/data-connections/:connection_id', {
    schema: {
      operationId: 'deleteConnection',
      summary: 'Delete a connection and its secrets, but keep its audit trail',
      tags,
      params,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: { access: writing }
  }, async (request, reply) => {
    await services.connections.delete(identityOf(request).tenant, actorOf(request), request.params.connection_id)
    return await reply.code(204).send(undefined)
  })
}

function testConnection (api: Api, { services }: RouteContext): void {
  api.post('/data-connections/:connection_id/test', {
    schema: {
      operationId: 'testConnection',
      summary: 'Test a connection step by step',
      tags,
      params,
      response: {
        200: answer('ConnectionTest', 'What works; `ok` is false if the store fails.'),
        ...errorResponses(...keyErrors, 409, ...storeErrors)
      }
    },
    config: { access: asking }
  }, async (request, reply) =>
    await answerOnce(request, reply, services, async () => {
      // Every look at a customer's store adds a record to the audit log.
      services.room.check(identityOf(request).tenant)
      return ok(
        renderTest(
          await services.connections.test(identityOf(request).tenant, actorOf(request), request.params.connection_id)
        )
      )
    }))
}

function validateConnection (api: Api, { services }: RouteContext): void {
  api.post('/data-connections/:connection_id/validate', {
    schema: {
      operationId: 'validateConnection',
      summary: 'Check whether the source can be forecast',
      tags,
      params,
      body: datasetSchema,
      response: {
        200: answer('SourceValidation', 'The result of the check.'),
        ...errorResponses(...keyErrors, 409, ...storeErrors, 415, 422)
      }
    },
    config: { access: asking }
  }, async (request, reply) => {
    const { connection_id: connectionId } = request.params
    return await answerOnce(request, reply, services, async () => {
      services.room.check(identityOf(request).tenant)
      return ok(
        renderValidation(connectionId,
          await services.connections.validate(identityOf(request).tenant, actorOf(request), connectionId,
            resolveDataset(request.body)))
      )
    })
  })
}

/** More keys of maximum length would not fit into one message of the queue. */
const objectsQuery = closedObject({ limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }), cursor })

function listConnectionObjects (api: Api, { services }: RouteContext): void {
  api.get('/data-connections/:connection_id/objects', {
    schema: {
      operationId: 'listConnectionObjects',
      summary: 'List the objects that a forecast would read from the source',
      tags,
      params,
      querystring: objectsQuery,
      response: {
        200: answer('ConnectionObjects', 'One page, sorted by key.'),
        ...errorResponses(...keyErrors, ...storeErrors, 422)
      }
    },
    config: { access: { scope: 'connections', tenant: true, limits: ['read'], computes: true } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { connection_id: connectionId } = request.params
    const binding = [tenant, 'objects', connectionId]
    const startAfter = positionOf(services.secrets.cursorKey, binding, request.query.cursor) ?? ''
    services.room.check(tenant)
    const page = await services.connections.listObjects(tenant, actorOf(request), connectionId, {
      limit: request.query.limit,
      startAfter
    })
    return await reply.send(
      renderObjects(connectionId, page,
        page.next === null ? null : writeCursor(services.secrets.cursorKey, binding, page.next))
    )
  })
}

function ok (body: object): Answer {
  return jsonAnswer(200, JSON.stringify(body))
}

function created (record: ConnectionRecord): Answer {
  return jsonAnswer(201, JSON.stringify(renderConnection(record)), {
    location: `/data-connections/${record.connectionId}`
  })
}
