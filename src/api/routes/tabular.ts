import type { TabularTask } from '../../domain/tabular-spec.ts'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { checkSheetName } from '../../services/forecasts/input-format.ts'
import type { JobSubmission } from '../../services/jobs/job-service.ts'
import { resolveTabular } from '../../services/tables/resolve-tabular.ts'
import { storedTabular, tabularOptions } from '../../services/tables/tabular-request.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { formReader, takeForms, uploadedSource } from '../form-upload.ts'
import { identityOf } from '../identity-of.ts'
import { jobLabels } from '../job-labels.ts'
import type { Upload } from '../plugins/uploads.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { tableFile } from '../schemas/file.ts'
import { acceptedTabularJob } from '../schemas/tabular-job.ts'
import { submitterOf } from '../submitter.ts'
import { formValidatorCompiler } from '../validation/compile-validator.ts'

interface Door {
  task: TabularTask
  path: string
  name: string
  does: string
}

const doors: readonly Door[] = [
  { task: 'classification', path: '/v2/classify', name: 'Classification', does: 'predicts the classes of rows' },
  { task: 'regression', path: '/v2/regress', name: 'Regression', does: 'predicts a number for each row' }
]
const tags = ['tabular']

/** POST /v2/classify and /v2/regress, whose bodies are forms. */
export async function tabularRoutes (api: Api, context: RouteContext): Promise<void> {
  await takeForms(api)
  for (const door of doors) uploadRoute(api, context, door)
}

/** POST /v2/classify/storage-object and /v2/regress/storage-object, whose bodies are JSON. */
export async function storedTabularRoutes (api: Api, context: RouteContext): Promise<void> {
  for (const door of doors) storedRoute(api, context, door)
}

function uploadRoute (api: Api, { config, services }: RouteContext, { task, path, name, does }: Door): void {
  api.post(path, {
    schema: {
      operationId: `create${name}`,
      summary: `Upload a table and create a job that ${does}`,
      tags,
      consumes: ['multipart/form-data'],
      body: closedObject({ file: tableFile, ...tabularOptions(task) }),
      response: { 202: acceptedTabularJob, ...errorResponses(...keyErrors, 408, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'tabular', limits: ['create', 'upload'], computes: true } },
    validatorCompiler: formValidatorCompiler,
    preValidation: formReader({ config, services }, (tenant) => {
      assertEnabled(config)
      services.jobs.admit(tenant)
    })
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { file, ...options } = request.body
    const upload = request.upload as Upload
    return await answerOnce(request, reply, services, async (save) => {
      const spec = resolveTabular(task, options)
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

function storedRoute (api: Api, { config, services }: RouteContext, { task, path, name, does }: Door): void {
  api.post(`${path}/storage-object`, {
    schema: {
      operationId: `create${name}FromObject`,
      summary: `Create a job that ${does} of a stored object`,
      tags,
      body: closedObject(storedTabular(task)),
      response: { 202: acceptedTabularJob, ...errorResponses(...keyErrors, 404, 409, 413, 415, 422) }
    },
    config: { access: { scope: 'tabular', limits: ['create'], computes: true } },
    preValidation: async () => assertEnabled(config)
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { object_id: objectId, ...options } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const spec = resolveTabular(task, options)
      const labels = jobLabels(services, options)
      services.jobs.admit(tenant)
      const object = await services.objects.asInput(tenant, objectId)
      checkSheetName(object.format, spec)
      const submission: JobSubmission = { ...submitterOf(request), source: { kind: 'object', object }, spec, ...labels }
      return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
    })
  })
}

function assertEnabled ({ TABULAR_ENABLED: isEnabled }: RouteContext['config']): void {
  if (!isEnabled) throw new TabcastError('tabular_runtime_unavailable')
}
