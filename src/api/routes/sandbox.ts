import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JobSpec } from '../../domain/job.ts'
import type { TabularTask } from '../../domain/tabular-spec.ts'
import { closedObject } from '../../platform/closed-object.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { noSuchPreset } from '../../services/forecasts/presets.ts'
import { resolveForecast } from '../../services/forecasts/resolve-forecast.ts'
import { tooLargeForSandbox } from '../../services/jobs/check-content.ts'
import { sandboxCaps } from '../../services/jobs/tenant-bounds.ts'
import { asForecastRequest, asTabularRequest, sandboxForecastOptions, sandboxTabularOptions,
  visitorFields } from '../../services/sandbox/sandbox-requests.ts'
import type { Sandbox } from '../../services/sandbox/sandbox.ts'
import { resolveTabular } from '../../services/tables/resolve-tabular.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { formReader, takeForms, uploadedSource } from '../form-upload.ts'
import { identityOf } from '../identity-of.ts'
import type { Access } from '../plugins/access.ts'
import type { Upload } from '../plugins/uploads.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { datasetFile, tableFile } from '../schemas/file.ts'
import { acceptedJob } from '../schemas/job.ts'
import { captchaChallengeSchema } from '../schemas/sandbox-challenge.ts'
import { acceptedTabularJob } from '../schemas/tabular-job.ts'
import type { Services } from '../services.ts'
import { submitterOf } from '../submitter.ts'
import { formValidatorCompiler } from '../validation/compile-validator.ts'

const tags = ['sandbox']
const reading: Access = { scope: 'sandbox', limits: ['sandbox-read'] }
const posting: Access = { scope: 'sandbox', limits: ['sandbox-post', 'sandbox-posts'], computes: true }

/** A captcha token of turnstile or hcaptcha may have about 4 KiB; any other field has less. */
const maxFieldBytes = 16 * 1024
const minBytesPerSecond = 16 * 1024

/** Only when there is a sandbox. The forms are in a scope of their own. */
export async function sandboxRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  if (!config.SANDBOX_ENABLED) return
  api.get('/sandbox/challenge', {
    schema: {
      operationId: 'getSandboxChallenge',
      summary: 'Get a captcha; a job of the sandbox needs its token',
      tags,
      response: {
        200: {
          description: 'What a page needs to show the captcha.',
          content: { 'application/json': { schema: captchaChallengeSchema } }
        },
        ...errorResponses(...keyErrors)
      }
    },
    config: { access: reading }
  }, async (_request, reply) => {
    const challenge = await sandboxOf(services).challenge()
    return await reply.header('cache-control', 'no-store').send(challenge)
  })
}

/** POST /sandbox/forecast, /sandbox/classify and /sandbox/regress. */
export async function sandboxJobRoutes (api: Api, context: RouteContext): Promise<void> {
  if (!context.config.SANDBOX_ENABLED) return
  await takeForms(api)
  const { config, services } = context

  api.post('/sandbox/forecast', {
    schema: {
      operationId: 'createSandboxForecast',
      summary: 'Try a forecast: one job for each company, with a captcha',
      tags,
      consumes: ['multipart/form-data'],
      body: closedObject({ file: datasetFile, ...visitorFields, ...sandboxForecastOptions(config.MAX_HORIZON) }),
      response: { 202: acceptedJob, ...errorResponses(...keyErrors, 408, 409, 413, 415, 422) }
    },
    config: { access: posting },
    validatorCompiler: formValidatorCompiler,
    preValidation: readForm(context, () => undefined)
  }, async (request, reply) => {
    const { file, email, captcha_token: token, ...options } = request.body
    const resolve = () =>
      resolveForecast(asForecastRequest(options), () => {
        throw noSuchPreset()
      }, services.covariates)
    return await submit({ request, reply, services }, { file, email, token }, resolve)
  })

  const doors: Array<[string, string, TabularTask]> = [
    ['/sandbox/classify', 'Classification', 'classification'],
    ['/sandbox/regress', 'Regression', 'regression']
  ]
  for (const [path, name, task] of doors) {
    api.post(path, {
      schema: {
        operationId: `createSandbox${name}`,
        summary: `Try a ${task}: one job for each company, with a captcha`,
        tags,
        consumes: ['multipart/form-data'],
        body: closedObject({ file: tableFile, ...visitorFields, ...sandboxTabularOptions(task) }),
        response: { 202: acceptedTabularJob, ...errorResponses(...keyErrors, 408, 409, 413, 415, 422) }
      },
      config: { access: posting },
      validatorCompiler: formValidatorCompiler,
      preValidation: readForm(context, assertTabular)
    }, async (request, reply) => {
      const { file, email, captcha_token: token, ...options } = request.body
      const resolve = () => resolveTabular(task, asTabularRequest(options))
      return await submit({ request, reply, services }, { file, email, token }, resolve)
    })
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Reads a form like that of any job, within the caps of the sandbox, and holds a place among the requests in progress
 * until the answer.
 */
function readForm (context: RouteContext, assertOffered: (config: Config) => void): Hook {
  const { config, services } = context
  const maxFileBytes = Math.min(config.MAX_UPLOAD_BYTES, sandboxCaps.fileBytes)
  const read = formReader(context, (tenant) => services.jobs.admit(tenant), {
    maxFileBytes,
    // There are few places, and everybody has the key.
    minBytesPerSecond: Math.max(config.UPLOAD_MIN_BYTES_PER_SECOND, minBytesPerSecond),
    maxFieldBytes: Math.min(config.MAX_FORM_FIELD_BYTES, maxFieldBytes),
    tooLarge: () =>
      tooLargeForSandbox(`The file is larger than ${maxFileBytes} bytes, the most that the sandbox takes.`)
  })
  return async (request, reply) => {
    assertOffered(config)
    const leave = sandboxOf(services).enter()
    if (reply.raw.closed) leave()
    else reply.raw.once('close', leave)
    await read(request, reply)
  }
}

interface Asked {
  request: FastifyRequest
  reply: FastifyReply
  services: Services
}
interface Visit {
  file: string
  email: string
  token: string | undefined
}

/**
 * Checks the captcha first, then the address, then the data, and claims the domain last. So a failed check uses up
 * nothing that comes after it. Wrong options are reported before all of these, as for any request.
 */
async function submit ({ request, reply, services }: Asked, { file, email, token = '' }: Visit,
  resolve: () => JobSpec): Promise<FastifyReply> {
  const { tenant } = identityOf(request)
  const upload = request.upload as Upload
  return await answerOnce(request, reply, services, async (save) => {
    const spec = resolve()
    const sandbox = await sandboxOf(services).admit({ token, email, address: request.ip })
    const source = uploadedSource(file, upload, spec)
    const submission = { ...submitterOf(request), source, spec, name: null, metadata: null, callbackUrl: null, sandbox }
    return await createdJob((within) => services.jobs.submit(tenant, submission, within), save)
  }, upload.sha256)
}

function sandboxOf ({ sandbox }: Services): Sandbox {
  if (sandbox === undefined) throw new Error('the routes of the sandbox are there, and it is not')
  return sandbox
}

function assertTabular ({ TABULAR_ENABLED: isEnabled }: Config): void {
  if (!isEnabled) throw new TabcastError('tabular_runtime_unavailable')
}
