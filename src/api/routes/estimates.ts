import { closedObject } from '../../platform/closed-object.ts'
import { estimateOptions } from '../../services/estimates/estimate-request.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { costEstimateSchema, runtimeEstimateSchema } from '../schemas/estimate.ts'

const tags = ['estimates']
const accepted = (description: string, schema: typeof runtimeEstimateSchema | typeof costEstimateSchema) => ({
  description,
  content: { 'application/json': { schema } }
})

export async function estimateRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  const body = closedObject(
    estimateOptions({
      maxHorizon: config.MAX_HORIZON,
      maxRows: config.MAX_ROWS,
      maxColumns: config.MAX_COLUMNS,
      maxSeries: config.MAX_SERIES
    })
  )
  const errors = errorResponses(...keyErrors, 404, 409, 413, 415, 422)

  api.post('/estimate/runtime', {
    schema: {
      operationId: 'estimateRuntime',
      summary: 'Estimate the time and memory of a job',
      tags,
      body,
      response: {
        200: accepted('The estimate, from jobs like this one on this deployment.', runtimeEstimateSchema),
        ...errors
      }
    },
    config: { access: { scope: 'forecast', limits: ['read'], computes: true } }
  }, async (request) => {
    const { tenant } = identityOf(request)
    const { seconds: { p50, p90, stages, basis, samples }, ...estimate } = await services.estimates.runtime(tenant,
      request.body, services.fineTuning.finder(tenant))
    return {
      estimated_seconds: { p50, p90 },
      queue_wait_seconds: estimate.queueWaitSeconds,
      stages,
      basis,
      samples,
      within_time_budget: estimate.withinTimeBudget,
      peak_memory_bytes: estimate.peakMemoryBytes
    }
  })

  api.post('/estimate/cost', {
    schema: {
      operationId: 'estimateCost',
      summary: 'Estimate the cost of a job',
      tags,
      body,
      response: {
        200: accepted('The cost in units, and, if this deployment has prices, in its currency.', costEstimateSchema),
        ...errors
      }
    },
    config: { access: { scope: 'forecast', limits: ['read'], computes: true } }
  }, async (request) => {
    const { tenant } = identityOf(request)
    const { rateCardVersion, ...cost } = await services.estimates.cost(tenant, request.body,
      services.fineTuning.finder(tenant))
    return { ...cost, rate_card_version: rateCardVersion }
  })
}
