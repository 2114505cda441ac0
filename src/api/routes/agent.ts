import { Type, type Static, type TObject } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { maxPromptBytes, type AgentAnswer } from '../../services/agent/agent-service.ts'
import type { GivenFields } from '../../services/agent/settle-intent.ts'
import { forecastOptions } from '../../services/forecasts/forecast-request.ts'
import { labelErrors } from '../../services/forecasts/label-fields.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { createdJob } from '../created-job.ts'
import { formReader, spooledFile, takeForms } from '../form-upload.ts'
import { identityOf } from '../identity-of.ts'
import { jobLabels } from '../job-labels.ts'
import type { Upload } from '../plugins/uploads.ts'
import { agentResponse, analysisResponse, forecastIntent, intentToValidate } from '../schemas/agent.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { datasetFile } from '../schemas/file.ts'
import { acceptedJob } from '../schemas/job.ts'
import { submitterOf } from '../submitter.ts'
import { formValidatorCompiler } from '../validation/compile-validator.ts'
import { defined } from '../../platform/defined.ts'

const tags = ['agent']
const prompt = Type.String({
  default: '',
  maxLength: maxPromptBytes,
  description: 'What to forecast, in English, such as "units by region for the next 6 weeks, without promotions". ' +
    'At most 64 KiB.'
})
const column = (what: string, name: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `${what}; left out: found in the data, ${name} if there.`
    })
  )

/** Fields that fix what a prompt may leave open. */
function settledFields (maxHorizon: number) {
  return {
    horizon: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxHorizon,
        description:
          'Steps to forecast; left out: as the prompt says, otherwise two seasons, but at most a quarter of the ' +
          'shortest series.'
      })
    ),
    item_id_column: column('Column that names the series', 'item_id'),
    timestamp_column: column('Column of the time stamps', 'timestamp'),
    target_column: column('Column of the values', 'target')
  }
}

const consumes = ['multipart/form-data']
const errors = errorResponses(...keyErrors, 408, 409, 413, 415, 422)

/** Reads a form. `jobs`: how many jobs the route creates. */
const takesForm = (context: RouteContext, jobs: number) => ({
  validatorCompiler: formValidatorCompiler,
  preValidation: formReader(context, (tenant) => context.services.jobs.admit(tenant, jobs))
})

/** For routes that create no job, so neither a full queue nor a quota of jobs may refuse them. */
const takesFormOnly = (context: RouteContext) => takesForm(context, 0)

export async function agentRoutes (api: Api, context: RouteContext): Promise<void> {
  await takeForms(api)
  extractIntent(api, context)
  analyzeDataset(api, context)
  createForecastFromPrompt(api, context)
}

function extractIntent (api: Api, context: RouteContext): void {
  api.post('/agent/extract', {
    schema: {
      operationId: 'extractIntent',
      summary: 'Turn a prompt and a dataset into an intent; no job is created',
      tags,
      consumes,
      body: closedObject({ file: datasetFile, prompt }),
      response: {
        200: answer('The intent, with questions if the prompt leaves something open.', agentResponse),
        ...errors
      }
    },
    config: { access: { scope: 'agent', limits: ['agent', 'upload'], computes: true } },
    ...takesFormOnly(context)
  }, async (request) => {
    const { file, prompt } = request.body
    return renderAnswer(
      await context.services.agent.extract(identityOf(request).tenant, spooledFile(file, request.upload as Upload),
        prompt)
    )
  })
}

function analyzeDataset (api: Api, context: RouteContext): void {
  const { config, services } = context
  api.post('/agent/analyze', {
    schema: {
      operationId: 'analyzeDataset',
      summary: 'Recommend how to forecast a dataset; no job is created',
      tags,
      consumes,
      body: closedObject({ file: datasetFile, prompt, ...settledFields(config.MAX_HORIZON) }),
      response: {
        200: answer('A configuration for any forecast route, the reasons for it, and its estimated time and cost.',
          analysisResponse),
        ...errors
      }
    },
    config: { access: { scope: 'agent', limits: ['agent', 'upload'], computes: true } },
    ...takesFormOnly(context)
  }, async (request) => {
    const { file, prompt, ...fields } = request.body
    const {
      data,
      profile,
      suggestions,
      config: recommended,
      rationale,
      warnings,
      requiresReview,
      estimate: { units, ...seconds }
    } = await services.agent.analyze(identityOf(request).tenant, spooledFile(file, request.upload as Upload), {
      prompt,
      given: givenFields(fields)
    })
    return {
      columns: data.columns.map(({ name }) => name),
      detected: {
        timestamp_column: data.roles.timestamp,
        target_column: data.roles.target,
        item_id_column: data.roles.itemId,
        frequency: data.series?.freq ?? null
      },
      profile,
      recommended_config: recommended,
      covariate_suggestions: suggestions,
      rationale,
      warnings,
      requires_review: requiresReview,
      estimate: { runtime_seconds: seconds, cost_units: units }
    }
  })
}

function promptedForecast (maxHorizon: number) {
  const { external_covariates: externalCovariates, reconciliation, callback_url: callbackUrl, name, metadata } =
    forecastOptions(maxHorizon)
  return closedObject({
    file: datasetFile,
    prompt,
    ...settledFields(maxHorizon),
    intent: Type.Optional(forecastIntent),
    external_covariates: externalCovariates,
    reconciliation,
    callback_url: callbackUrl,
    name,
    metadata
  })
}

function createForecastFromPrompt (api: Api, context: RouteContext): void {
  const { config, services } = context
  api.post('/agent/forecast', {
    schema: {
      operationId: 'createForecastFromPrompt',
      summary: 'Upload a dataset and say in words what to forecast',
      tags,
      consumes,
      body: promptedForecast(config.MAX_HORIZON),
      response: { 202: acceptedJob, ...errors }
    },
    config: { access: { scope: ['agent', 'forecast'], limits: ['agent', 'create', 'upload'], computes: true } },
    ...takesForm(context, 1)
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const {
      file,
      prompt,
      intent = null,
      external_covariates: external,
      reconciliation: coherence,
      callback_url: _url,
      name: _name,
      metadata: _metadata,
      ...fields
    } = request.body
    const upload = request.upload as Upload
    return await answerOnce(request, reply, services, async (save) => {
      const wrong = labelErrors(request.body)
      if (wrong.length > 0) throw new TabcastError('validation_error', undefined, { fields: wrong })
      const labels = jobLabels(services, request.body)
      const options = {
        ...defined({ external_covariates: external }),
        ...(coherence === undefined || coherence === null ? {} : { reconciliation: coherence })
      }
      const { staged, spec, checked, notes } = await services.agent.plan(tenant, spooledFile(file, upload), {
        prompt,
        intent,
        given: givenFields(fields)
      }, options)
      return await createdJob(
        (within) =>
          services.jobs.submit(tenant, {
            ...submitterOf(request),
            source: { kind: 'staged', staged, ...defined({ checked }) },
            spec,
            notes,
            ...labels
          }, within),
        save
      )
    }, upload.sha256)
  })
}

/** A separate scope for its JSON body, because a scope takes either forms or JSON. */
export async function intentRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  api.post('/agent/validate', {
    schema: {
      operationId: 'validateIntent',
      summary: 'Check by fixed rules whether an intent can be run',
      tags,
      body: closedObject(intentToValidate(config.MAX_COLUMNS)),
      response: {
        200: answer('The intent with its missing fields, questions and status computed again.', agentResponse),
        ...errorResponses(...keyErrors, 413, 415, 422)
      }
    },
    config: { access: { scope: 'agent', limits: ['agent'], computes: true } }
  }, async (request) => {
    const { intent, columns, profile } = request.body
    return renderAnswer(await services.agent.validate(intent, columns, profile ?? undefined))
  })
}

function answer<T> (description: string, schema: T) {
  return { description, content: { 'application/json': { schema } } }
}

function givenFields (
  { horizon, item_id_column: itemId, timestamp_column: timestamp, target_column: target }: Partial<
    Static<TObject<ReturnType<typeof settledFields>>>
  >
): GivenFields {
  return {
    horizon: horizon ?? null,
    columns: defined({ itemId, timestamp, target })
  }
}

function renderAnswer ({ intent, columns, profile, generatedBy, suggestions, warnings }: AgentAnswer) {
  return {
    intent,
    columns,
    covariate_suggestions: suggestions,
    generated_by: generatedBy,
    warnings,
    ...defined({ profile })
  }
}
