import { closedObject } from '../../platform/closed-object.ts'
import { acceptForecast } from '../../services/forecasts/accept-forecast.ts'
import { forecastOptions } from '../../services/forecasts/forecast-request.ts'
import type { JobSubmission } from '../../services/jobs/job-service.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { formReader, takeForms, uploadedSource } from '../form-upload.ts'
import { identityOf } from '../identity-of.ts'
import { jobLabels } from '../job-labels.ts'
import type { Upload } from '../plugins/uploads.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { datasetFile } from '../schemas/file.ts'
import { acceptedJob } from '../schemas/job.ts'
import { submitterOf } from '../submitter.ts'
import { formValidatorCompiler } from '../validation/compile-validator.ts'

export async function forecastRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  await takeForms(api)
  api.post('/forecast', {
    schema: {
      operationId: 'createForecast',
      summary: 'Upload a dataset and create a forecast job',
      tags: ['forecast'],
      consumes: ['multipart/form-data'],
      body: closedObject({ file: datasetFile, ...forecastOptions(config.MAX_HORIZON) }),
      response: {
        202: acceptedJob,
        ...errorResponses(...keyErrors, 408, 409, 413, 415, 422)
      }
    },
    config: { access: { scope: 'forecast', limits: ['create', 'upload'], computes: true } },
    validatorCompiler: formValidatorCompiler,
    preValidation: formReader({ config, services }, (tenant) => services.jobs.admit(tenant))
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { file, ...options } = request.body
    const upload = request.upload as Upload
    return await answerOnce(request, reply, services, async (save) => {
      const spec = await acceptForecast(tenant, options, services.fineTuning.finder(tenant), services.covariates)
      const submission: JobSubmission = {
        ...submitterOf(request),
        source: uploadedSource(file, upload, spec),
        spec,
        ...jobLabels(services, options)
      }
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    }, upload.sha256)
  })
}
