import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { actorOf } from '../actor.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { renderModel } from '../schemas/fine-tuned-model.ts'
import { identifier } from '../schemas/identifier.ts'
import { noBody } from '../schemas/no-body.ts'

const tags = ['fine-tuning']
const access = { access: { scope: 'models', limits: ['read'] } } as const
const constant = { ...access, access: { ...access.access, constant: true } } as const
const params = Type.Object({ model_id: identifier() })
const answer = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(name) } }
})

const listQuery = closedObject({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'At most this many models are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: '`next_cursor` of the previous page.' })
  )
})

export async function fineTunedModelRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/fine-tune/models', {
    schema: {
      operationId: 'listFineTunedModels',
      summary: 'List fine-tuned models, newest first',
      tags,
      querystring: listQuery,
      response: { 200: answer('One page.', 'FineTunedModelList'), ...errorResponses(...keyErrors, 422) }
    },
    config: access
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { cursorKey } = services.secrets
    const { limit, cursor } = request.query
    const binding = ['models', tenant]
    const { models, next } = services.fineTuning.list(tenant, limit, positionOf(cursorKey, binding, cursor))
    return await reply.send({
      models: models.map(renderModel),
      next_cursor: next === null ? null : writeCursor(cursorKey, binding, next)
    })
  })

  api.get('/fine-tune/models/:model_id', {
    schema: {
      operationId: 'getFineTunedModel',
      summary: 'Get a fine-tuned model',
      tags,
      params,
      response: { 200: answer('The model.', 'FineTunedModel'), ...errorResponses(...keyErrors, 404) }
    },
    config: constant
  },
    async (request, reply) =>
      await reply.send(renderModel(services.fineTuning.get(identityOf(request).tenant, request.params.model_id))))

  api.delete('/fine-tune/models/:model_id', {
    schema: {
      operationId: 'deleteFineTunedModel',
      summary: 'Delete a fine-tuned model; forecasts accepted before are still made',
      tags,
      params,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: access
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { model_id: modelId } = request.params
    await services.fineTuning.delete(tenant, modelId, (tx) =>
      services.audit.append(tx, tenant, actorOf(request), {
        action: 'model.delete',
        target: modelId,
        outcome: 'success'
      }))
    return await reply.code(204).send(undefined)
  })
}
