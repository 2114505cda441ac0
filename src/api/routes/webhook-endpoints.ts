import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import type { Transaction } from '../../platform/metadata/metadata-store.ts'
import type { AuditedAction } from '../../services/audit/audit-log.ts'
import type { EndpointMessage } from '../../services/callbacks/callback-ledger.ts'
import type { WebhookEndpoint } from '../../services/callbacks/webhook-endpoint.ts'
import { actorOf } from '../actor.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { identifier } from '../schemas/identifier.ts'
import { noBody } from '../schemas/no-body.ts'
import { endpointChangeBody, newEndpointBody, renderDelivery, renderEndpoint } from '../schemas/webhook-endpoint.ts'
import { renderSecret, webhookSecretSchema } from '../schemas/webhook.ts'
import type { Services } from '../services.ts'

const tags = ['webhooks']
const reading = { access: { scope: 'webhooks', limits: ['read'] } } as const
const sending = { access: { scope: 'webhooks', limits: ['create'] } } as const
const params = Type.Object({ endpoint_id: identifier() })
const deliveryParams = Type.Object({ endpoint_id: identifier(), webhook_id: identifier() })
const answer = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(name) } }
})
const secretAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: webhookSecretSchema } }
})

/** A requested delivery: the request is answered at once, and the delivery follows. */
const asked = <P extends TSchema>(params: P,
  { operationId, summary, delivery }: { operationId: string, summary: string, delivery: string }) => ({
    schema: {
      operationId,
      summary,
      tags,
      params,
      response: { 202: answer(delivery, 'WebhookDelivery'), ...errorResponses(...keyErrors, 404, 409) }
    },
    config: sending
  })

/** Addresses for the callbacks of all of a tenant's jobs, in addition to each job's callback_url. */
export async function webhookEndpointRoutes (api: Api, context: RouteContext): Promise<void> {
  createWebhookEndpoint(api, context)
  listWebhookEndpoints(api, context)
  getWebhookEndpoint(api, context)
  changeWebhookEndpoint(api, context)
  deleteWebhookEndpoint(api, context)
  getWebhookEndpointSecret(api, context)
  rotateWebhookEndpointSecret(api, context)
  testWebhookEndpoint(api, context)
  listWebhookDeliveries(api, context)
  redeliverWebhook(api, context)
}

function createWebhookEndpoint (api: Api, { services }: RouteContext): void {
  api.post('/webhooks/endpoints', {
    schema: {
      operationId: 'createWebhookEndpoint',
      summary: 'Register an address for the callbacks of all jobs',
      tags,
      body: newEndpointBody,
      response: {
        201: { ...answer('The endpoint.', 'WebhookEndpoint'), headers: { Location: Type.String() } },
        ...errorResponses(...keyErrors, 409, 413, 415, 422)
      }
    },
    config: sending
  }, async (request, reply) => {
    const { url, events, description = null, enabled } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const created = (endpoint: WebhookEndpoint) =>
        jsonAnswer(201, JSON.stringify(renderEndpoint(endpoint)), {
          location: `/webhooks/endpoints/${endpoint.endpointId}`
        })
      return created(
        await services.callbacks.endpoints.create(identityOf(request).tenant, { url, events, description, enabled },
          (tx, endpoint) => {
            note(services, request, 'webhook_endpoint.create')(tx, endpoint.endpointId)
            save(tx, created(endpoint))
          })
      )
    })
  })
}

function listWebhookEndpoints (api: Api, { services }: RouteContext): void {
  api.get('/webhooks/endpoints', {
    schema: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      tags,
      response: {
        200: answer('All endpoints. max_webhook_endpoints of GET /limits is the most.', 'WebhookEndpointList'),
        ...errorResponses(...keyErrors)
      }
    },
    config: reading
  }, async (request, reply) =>
    await reply.send({
      endpoints: services.callbacks.endpoints.list(identityOf(request).tenant).map(renderEndpoint)
    }))
}

function getWebhookEndpoint (api: Api, { services }: RouteContext): void {
  api.get('/webhooks/endpoints/:endpoint_id', {
    schema: {
      operationId: 'getWebhookEndpoint',
      summary: 'Get a webhook endpoint',
      tags,
      params,
      response: { 200: answer('The endpoint.', 'WebhookEndpoint'), ...errorResponses(...keyErrors, 404) }
    },
    config: reading
  }, async (request, reply) =>
    await reply.send(
      renderEndpoint(services.callbacks.endpoints.get(identityOf(request).tenant, request.params.endpoint_id))
    ))
}

function changeWebhookEndpoint (api: Api, { services }: RouteContext): void {
  api.patch('/webhooks/endpoints/:endpoint_id', {
    schema: {
      operationId: 'changeWebhookEndpoint',
      summary: 'Change a webhook endpoint, or enable one that was disabled',
      tags,
      params,
      body: endpointChangeBody,
      response: {
        200: answer('The endpoint as it is now.', 'WebhookEndpoint'),
        ...errorResponses(...keyErrors, 404, 413, 415, 422)
      }
    },
    config: sending
  }, async (request, reply) => {
    const { endpoint_id: endpointId } = request.params
    return await reply.send(
      renderEndpoint(
        await services.callbacks.endpoints.update(identityOf(request).tenant, endpointId, request.body,
          (tx) => note(services, request, 'webhook_endpoint.update')(tx, endpointId))
      )
    )
  })
}

function deleteWebhookEndpoint (api: Api, { services }: RouteContext): void {
  api.delete('/webhooks/endpoints/:endpoint_id', {
    schema: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint; waiting events are not sent',
      tags,
      params,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: sending
  }, async (request, reply) => {
    const { endpoint_id: endpointId } = request.params
    await services.callbacks.endpoints.delete(identityOf(request).tenant, endpointId,
      (tx) => note(services, request, 'webhook_endpoint.delete')(tx, endpointId))
    return await reply.code(204).send(undefined)
  })
}

function getWebhookEndpointSecret (api: Api, { services }: RouteContext): void {
  api.get('/webhooks/endpoints/:endpoint_id/secret', {
    schema: {
      operationId: 'getWebhookEndpointSecret',
      summary: 'Get the secret that signs events to this endpoint',
      tags,
      params,
      response: { 200: secretAnswer('The secret.'), ...errorResponses(...keyErrors, 404) }
    },
    config: reading
  },
    async (request) =>
      renderSecret(await services.callbacks.endpoints.secret(identityOf(request).tenant, request.params.endpoint_id)))
}

function rotateWebhookEndpointSecret (api: Api, { services }: RouteContext): void {
  api.post('/webhooks/endpoints/:endpoint_id/secret', {
    schema: {
      operationId: 'rotateWebhookEndpointSecret',
      summary: 'Replace the secret of an endpoint; the old one also signs for 24 hours',
      tags,
      params,
      response: { 200: secretAnswer('The new secret.'), ...errorResponses(...keyErrors, 404, 409) }
    },
    config: sending
  }, async (request, reply) =>
    await answerOnce(request, reply, services, async () => {
      const { endpoint_id: endpointId } = request.params
      const secret = await services.callbacks.endpoints.rotateSecret(identityOf(request).tenant, endpointId,
        (tx) => note(services, request, 'webhook_endpoint.rotate_secret')(tx, endpointId))
      return jsonAnswer(200, JSON.stringify(renderSecret(secret)))
    }))
}

function testWebhookEndpoint (api: Api, { services }: RouteContext): void {
  const test = asked(params, {
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event; the deliveries show the outcome',
    delivery: 'The delivery, pending.'
  })
  api.post('/webhooks/endpoints/:endpoint_id/test', test, async (request, reply) => {
    const { endpoint_id: endpointId } = request.params
    const within = (tx: Transaction) => note(services, request, 'webhook_endpoint.test')(tx, endpointId)
    return await begun(services, request, reply,
      (tenant) => services.callbacks.endpoints.test(tenant, endpointId, within))
  })
}

const deliveriesQuery = closedObject({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'At most this many deliveries are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: '`next_cursor` of the previous page.' })
  )
})

function listWebhookDeliveries (api: Api, { services }: RouteContext): void {
  api.get('/webhooks/endpoints/:endpoint_id/deliveries', {
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries to an endpoint, newest first',
      tags,
      params,
      querystring: deliveriesQuery,
      response: { 200: answer('One page.', 'WebhookDeliveryList'), ...errorResponses(...keyErrors, 404, 422) }
    },
    config: reading
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { endpoint_id: endpointId } = request.params
    const { limit, cursor } = request.query
    const { cursorKey } = services.secrets
    const binding = [tenant, 'webhook deliveries', endpointId]
    const { messages, next } = services.callbacks.endpoints.deliveries(tenant, endpointId, limit,
      positionOf(cursorKey, binding, cursor))
    return await reply.send({
      deliveries: messages.map(renderDelivery),
      next_cursor: next === null ? null : writeCursor(cursorKey, binding, next)
    })
  })
}

function redeliverWebhook (api: Api, { services }: RouteContext): void {
  const redelivery = asked(deliveryParams, {
    operationId: 'redeliverWebhook',
    summary: 'Send an event again now, with the same webhook-id',
    delivery: 'The delivery, due.'
  })
  api.post('/webhooks/endpoints/:endpoint_id/deliveries/:webhook_id/redeliver', redelivery, async (request, reply) => {
    const { endpoint_id: endpointId, webhook_id: webhookId } = request.params
    const within = (tx: Transaction) => note(services, request, 'webhook_delivery.redeliver')(tx, webhookId)
    return await begun(services, request, reply,
      (tenant) => services.callbacks.endpoints.redeliver(tenant, endpointId, webhookId, within))
  })
}

/** Adds a change to the tenant's audit log, in the transaction of the change. */
function note (services: Services, request: FastifyRequest, action: AuditedAction) {
  return (tx: Transaction, target: string): void =>
    services.audit.append(tx, identityOf(request).tenant, actorOf(request), { action, target, outcome: 'success' })
}

async function begun (services: Services, request: FastifyRequest, reply: FastifyReply,
  begin: (tenant: string) => Promise<EndpointMessage>): Promise<FastifyReply> {
  return await answerOnce(request, reply, services,
    async () => jsonAnswer(202, JSON.stringify(renderDelivery(await begin(identityOf(request).tenant)))))
}
