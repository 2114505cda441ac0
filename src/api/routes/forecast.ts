import { Type } from 'typebox'
import { dataPaths } from '../../config.ts'
import { TabcastError } from '../../errors.ts'
import { closedObject } from '../../forecasts/closed-object.ts'
import { forecastOptions } from '../../forecasts/forecast-request.ts'
import { checkMagicBytes, checkSheetName, formatOfFilename } from '../../forecasts/input-format.ts'
import { resolveForecast } from '../../forecasts/resolve-forecast.ts'
import type { ForecastSubmission } from '../../jobs/job-service.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { readJsonFields } from '../json-fields.ts'
import { identityOf } from '../plugins/access.ts'
import { discard, parseForms, receiveForm, type Upload } from '../plugins/uploads.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { acceptedJob } from '../schemas/job.ts'
import { formValidatorCompiler } from '../validation/compile-validator.ts'

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | undefined
  }
}

export async function forecastRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  await parseForms(api as never)
  const folder = dataPaths(config).spool
  const limits = {
    maxFileBytes: config.MAX_UPLOAD_BYTES, maxFieldBytes: config.MAX_FORM_FIELD_BYTES, minBytesPerSecond: config.UPLOAD_MIN_BYTES_PER_SECOND
  }
  const form = closedObject({
    file: Type.String({ format: 'binary', description: 'The dataset; its file name ends in .csv, .parquet, .xls or .xlsx. Long format: one row for each series and time, at least two values a series.' }),
    ...forecastOptions(config.MAX_HORIZON)
  })

  api.decorateRequest('upload', undefined)
  api.post('/forecast', {
    schema: {
      operationId: 'createForecast',
      summary: 'Upload a dataset and create a forecast job',
      tags: ['forecast'],
      consumes: ['multipart/form-data'],
      body: form,
      response: {
        202: acceptedJob,
        ...errorResponses(...keyErrors, 408, 409, 413, 415, 422)
      }
    },
    config: { access: { scope: 'forecast', limits: ['create', 'upload'] } },
    validatorCompiler: formValidatorCompiler,
    async preValidation (request, reply) {
      services.jobs.admit(identityOf(request).tenant)
      if (!request.isMultipart()) throw new TabcastError('validation_error', 'The body is not multipart/form-data.', { status: 415, suggestion: 'Send the file as multipart/form-data.' })
      const { fields, upload } = await receiveForm(request, { folder, limits, acceptFilename: formatOfFilename })
      request.upload = upload
      // After the answer, or when the client goes away before it.
      reply.raw.once('close', () => { discard(upload).catch((error: unknown) => request.log.warn({ err: error }, 'an upload was left in the spool')) })
      request.body = readJsonFields(fields) as typeof request.body
    }
  }, async (request, reply) => {
    const { tenant, keyId } = identityOf(request)
    const { file, ...options } = request.body
    const upload = request.upload as Upload
    return await answerOnce(request, reply, services, async (save) => {
      const format = formatOfFilename(file)
      checkMagicBytes(format, upload)
      const spec = resolveForecast(options)
      checkSheetName(format, spec)
      const submission: ForecastSubmission = {
        keyId,
        requestId: request.id,
        source: { kind: 'upload', upload: { path: upload.path, bytes: upload.bytes, sha256: upload.sha256, format } },
        spec,
        name: options.name ?? null,
        metadata: options.metadata ?? null,
        callbackUrl: services.callbacks.acceptUrl(options.callback_url)
      }
      return await createdJob((within) => services.jobs.submitForecast(tenant, submission, within), save)
    }, upload.sha256)
  })
}
