import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { outputSchema, resolveOutput } from '../../services/deliveries/resolve-output.ts'
import { acceptForecast } from '../../services/forecasts/accept-forecast.ts'
import { forecastOptions } from '../../services/forecasts/forecast-request.ts'
import { checkSheetName } from '../../services/forecasts/input-format.ts'
import type { JobSubmission } from '../../services/jobs/job-service.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { identityOf } from '../identity-of.ts'
import { jobLabels } from '../job-labels.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { identifier } from '../schemas/identifier.ts'
import { acceptedJob } from '../schemas/job.ts'
import { submitterOf } from '../submitter.ts'
import { defined } from '../../platform/defined.ts'

export async function connectionForecastRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.post('/data-connections/:connection_id/forecast', {
    schema: {
      operationId: 'createForecastFromConnection',
      summary: 'Create a forecast job from your own store, and write the table back',
      description: 'The job reads the source, so an error in the source fails the job.',
      tags: ['connections', 'forecast'],
      params: Type.Object({ connection_id: identifier() }),
      body: closedObject({
        ...forecastOptions(config.MAX_HORIZON),
        output: Type.Optional(
          Type.Union([outputSchema, Type.Null()], {
            description: 'Writes the table to a store. An empty object: back to the source. null or left out: the ' +
              'table is only kept here.'
          })
        )
      }),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 404, 409, 413, 415, 422) }
    },
    config: { access: { scope: ['forecast', 'connections'], tenant: true, limits: ['create'], computes: true } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { output, ...options } = request.body
    const { connection_id: connectionId } = request.params
    return await answerOnce(request, reply, services, async (save) => {
      const delivery = output === undefined || output === null ? undefined : resolveOutput(output, connectionId)
      const submission: JobSubmission = {
        ...submitterOf(request),
        source: { kind: 'connection', connectionId },
        spec: await acceptForecast(tenant, options, services.fineTuning.finder(tenant), services.covariates),
        ...jobLabels(services, options),
        ...defined({ delivery })
      }
      checkSheetName(services.connections.readable(tenant, connectionId).objectStorage.fileFormat, submission.spec)
      if (delivery !== undefined) services.connections.get(tenant, delivery.connectionId)
      services.jobs.admit(tenant)
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    })
  })
}
