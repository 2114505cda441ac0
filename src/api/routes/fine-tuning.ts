import { closedObject } from '../../platform/closed-object.ts'
import { checkSheetName } from '../../services/forecasts/input-format.ts'
import type { JobSubmission } from '../../services/jobs/job-service.ts'
import { fineTuneOptions, resolveFineTune, storedFineTune } from '../../services/models/fine-tune-request.ts'
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

const tags = ['fine-tuning']

/** POST /fine-tune, whose body is a form. */
export async function fineTuneRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  await takeForms(api)
  api.post('/fine-tune', {
    schema: {
      operationId: 'createFineTune',
      summary: 'Upload a dataset and create a job that trains a model on it',
      tags,
      consumes: ['multipart/form-data'],
      body: closedObject({ file: datasetFile, ...fineTuneOptions(config.MAX_HORIZON, config.JOB_BUDGET_SECONDS) }),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 408, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'models', limits: ['create', 'upload'], computes: true } },
    validatorCompiler: formValidatorCompiler,
    preValidation: formReader({ config, services }, (tenant) => {
      services.fineTuning.assertEnabled()
      services.jobs.admit(tenant)
    })
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { file, ...options } = request.body
    const upload = request.upload as Upload
    return await answerOnce(request, reply, services, async (save) => {
      const spec = resolveFineTune(options)
      // Checked only now, so that a repeat of the request that used the last place still gets its answer.
      services.fineTuning.assertRoom(tenant)
      const submission = {
        ...submitterOf(request),
        source: uploadedSource(file, upload, spec),
        spec,
        ...jobLabels(services, options)
      }
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    }, upload.sha256)
  })
}

/** POST /fine-tune/storage-object, whose body is JSON. */
export async function storedFineTuneRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.post('/fine-tune/storage-object', {
    schema: {
      operationId: 'createFineTuneFromObject',
      summary: 'Create a job that trains a model on a stored object',
      tags,
      body: closedObject(storedFineTune(config.MAX_HORIZON, config.JOB_BUDGET_SECONDS)),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 404, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'models', limits: ['create'], computes: true } },
    preValidation: async () => services.fineTuning.assertEnabled()
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { object_id: objectId, ...options } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const spec = resolveFineTune(options)
      services.fineTuning.assertRoom(tenant)
      services.jobs.admit(tenant)
      const object = await services.objects.asInput(tenant, objectId)
      checkSheetName(object.format, spec)
      const submission: JobSubmission = {
        ...submitterOf(request),
        source: { kind: 'object', object },
        spec,
        ...jobLabels(services, options)
      }
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    })
  })
}
