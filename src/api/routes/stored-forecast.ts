import { closedObject } from '../../forecasts/closed-object.ts'
import { storedForecast } from '../../forecasts/batch-request.ts'
import { resolveForecast } from '../../forecasts/resolve-forecast.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../plugins/access.ts'
import { renderJobText } from '../render-job.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { acceptedJob } from '../schemas/job.ts'

export async function storedForecastRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.post('/forecast/storage-object', {
    schema: {
      operationId: 'createForecastFromObject',
      summary: 'Create a forecast job from a stored object',
      tags: ['forecast'],
      body: closedObject(storedForecast(config.MAX_HORIZON)),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 404, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'forecast', limits: ['create'] } }
  }, async (request, reply) => {
    const { tenant, keyId } = identityOf(request)
    const { object_id: objectId, ...options } = request.body
    const spec = resolveForecast(options)
    services.jobs.admit(tenant)
    const object = await services.objects.asInput(tenant, objectId)
    const record = await services.jobs.submitForecast(tenant, {
      keyId,
      requestId: request.id,
      source: { kind: 'object', object },
      spec,
      name: options.name ?? null,
      metadata: options.metadata ?? null,
      callbackUrl: options.callback_url || null
    })
    return await reply
      .code(202)
      .headers({ location: `/jobs/${record.jobId}`, 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' })
      .send(renderJobText(record, services.jobs.progress(record)))
  })
}
