import { closedObject } from '../../platform/closed-object.ts'
import { acceptForecast } from '../../services/forecasts/accept-forecast.ts'
import { storedForecast } from '../../services/forecasts/batch-request.ts'
import { checkSheetName } from '../../services/forecasts/input-format.ts'
import type { JobSubmission } from '../../services/jobs/job-service.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { identityOf } from '../identity-of.ts'
import { jobLabels } from '../job-labels.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { acceptedJob } from '../schemas/job.ts'
import { submitterOf } from '../submitter.ts'

export async function storedForecastRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.post('/forecast/storage-object', {
    schema: {
      operationId: 'createForecastFromObject',
      summary: 'Create a forecast job from a stored object',
      tags: ['forecast'],
      body: closedObject(storedForecast(config.MAX_HORIZON)),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 404, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'forecast', limits: ['create'], computes: true } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { object_id: objectId, ...options } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const spec = await acceptForecast(tenant, options, services.fineTuning.finder(tenant), services.covariates)
      const labels = jobLabels(services, options)
      services.jobs.admit(tenant)
      const object = await services.objects.asInput(tenant, objectId)
      checkSheetName(object.format, spec)
      const submission: JobSubmission = { ...submitterOf(request), source: { kind: 'object', object }, spec, ...labels }
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    })
  })
}
