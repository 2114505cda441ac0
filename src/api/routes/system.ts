import { Type } from 'typebox'
import { presetNames } from '../../services/forecasts/presets.ts'
import type { Quotas } from '../../services/quotas/quotas.ts'
import type { Api, RouteContext } from '../api.ts'
import { healthProbe } from '../health.ts'
import { identityOf } from '../identity-of.ts'
import { limitsOf } from '../limits.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { livenessSchema, modelsSchema } from '../schemas/system.ts'

export async function systemRoutes (api: Api, context: RouteContext): Promise<void> {
  getHealth(api, context)
  getLiveness(api)
  listModels(api)
  getLimits(api, context)
}

function getHealth (api: Api, context: RouteContext): void {
  const probe = healthProbe(context)
  const healthBody = (description: string) => ({
    description,
    content: { 'application/json': { schema: Type.Ref('Health') } }
  })
  api.get('/health', {
    schema: {
      operationId: 'getHealth',
      summary: 'Check readiness; needs no key',
      tags: ['system'],
      security: [],
      response: {
        200: healthBody('The service takes jobs and runs them.'),
        ...errorResponses(),
        503: healthBody('A critical check failed.')
      }
    },
    config: { access: 'public' }
  }, async (_request, reply) => {
    const { health, isReady } = await probe()
    return await reply.code(isReady ? 200 : 503).send(health)
  })
}

function getLiveness (api: Api): void {
  api.get('/livez', {
    schema: {
      operationId: 'getLiveness',
      summary: 'Check liveness; needs no key',
      tags: ['system'],
      security: [],
      response: {
        200: { description: 'The process answers.', content: { 'application/json': { schema: livenessSchema } } },
        ...errorResponses()
      }
    },
    config: { access: 'public' }
  }, () => ({ status: 'alive' as const }))
}

const tiers =
  'fast answers soonest; balanced (the default) combines more models; best also compares them on held-out history ' +
  'and takes longest. ft: and the id of a fine-tuned model forecasts with that model.'

function listModels (api: Api): void {
  api.get('/models', {
    schema: {
      operationId: 'listModels',
      summary: 'List the presets',
      tags: ['system'],
      response: {
        200: {
          description: 'The presets and their differences.',
          content: { 'application/json': { schema: modelsSchema } }
        },
        ...errorResponses(...keyErrors)
      }
    },
    config: { access: { scope: null, limits: ['read'], constant: true } }
  }, () => ({ available_presets: [...presetNames], note: tiers }))
}

function getLimits (api: Api, { config, services }: RouteContext): void {
  const limits = limitsOf(config)
  api.get('/limits', {
    schema: {
      operationId: 'getLimits',
      summary: 'Get the limits of this deployment',
      tags: ['system'],
      response: {
        200: { description: 'The current limits.', content: { 'application/json': { schema: Type.Ref('Limits') } } },
        ...errorResponses(...keyErrors)
      }
    },
    config: { access: { scope: null, limits: ['read'], constant: true } }
  }, (request, reply) => reply.send({ ...limits, quotas: quotasOf(services.quotas, identityOf(request).tenant) }))
}

function quotasOf (quotas: Quotas | undefined, tenant: string) {
  if (quotas === undefined) return null
  return Object.fromEntries(
    quotas.states(tenant).map((
      { name, limit, used, resetsAtMs }
    ) => [name, { limit, used, resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString() }])
  )
}
