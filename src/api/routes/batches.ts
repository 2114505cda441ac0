import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { attachment } from '../../platform/store/content-disposition.ts'
import type { Batch } from '../../services/batches/batch-service.ts'
import { batchRequest, resolveBatch, storedForecast } from '../../services/forecasts/batch-request.ts'
import type { Answer } from '../../services/idempotency/idempotency.ts'
import type { JobRecord } from '../../services/jobs/job-record.ts'
import { actorOf } from '../actor.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { baseUrlOf } from '../base-url.ts'
import { renderNewJob } from '../created-job.ts'
import { identityOf } from '../identity-of.ts'
import { nextTurn } from '../next-turn.ts'
import { renderJobText } from '../render-job.ts'
import { batchParams, renderBatch } from '../schemas/batch.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { fileContent, fileHeaders } from '../schemas/file.ts'
import { noBody } from '../schemas/no-body.ts'
import { submitterOf } from '../submitter.ts'
import { compileValidator } from '../validation/compile-validator.ts'
import { zipStream } from '../zip-stream.ts'
const batchContent = { 'application/json': { schema: Type.Ref('Batch') } }

export async function batchRoutes (api: Api, context: RouteContext): Promise<void> {
  createBatch(api, context)
  getBatch(api, context)
  downloadBatch(api, context)
  deleteBatch(api, context)
}

function createBatch (api: Api, { config, services }: RouteContext): void {
  const complete = compileValidator(closedObject(storedForecast(config.MAX_HORIZON)), 'body', false)
  api.post('/forecast/batch', {
    schema: {
      operationId: 'createBatch',
      summary: 'Create several forecast jobs from stored objects, or none of them',
      tags: ['forecast'],
      body: closedObject(batchRequest(config.MAX_HORIZON)),
      response: {
        202: {
          description: 'The batch with its jobs, pending. Poll `Location`.',
          headers: { Location: Type.String(), 'Retry-After': Type.String() },
          content: batchContent
        },
        ...errorResponses(...keyErrors, 404, 409, 413, 415, 422)
      }
    },
    config: { access: { scope: 'forecast', limits: ['create'], computes: true } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { requests, defaults, callback_url: callbackUrl } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const rules = {
        tenant,
        maxBytes: config.MAX_JSON_BYTES,
        pause: () => nextTurn(request, reply),
        complete,
        acceptUrl: (url: string | null | undefined) => services.callbacks.acceptUrl(url),
        findModel: services.fineTuning.finder(tenant),
        covariates: services.covariates
      }
      const items = await resolveBatch(requests, { callback_url: callbackUrl, ...defaults }, rules)
      return created(
        await services.batches.create(tenant, { ...submitterOf(request), items },
          (tx, batch) => save(tx, created(batch)))
      )
    })
  })
}

const json = 'application/json; charset=utf-8'

/** The longest answer that is written at once; a longer one is sent job by job. */
const maxWholeChars = 1024 * 1024

function getBatch (api: Api, { services }: RouteContext): void {
  api.get('/forecast/batch/:batch_id', {
    schema: {
      operationId: 'getBatch',
      summary: 'Get a batch with its jobs',
      tags: ['forecast'],
      params: batchParams,
      response: { 200: { description: 'The batch.', content: batchContent }, ...errorResponses(...keyErrors, 404) }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'] } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const render = (job: JobRecord): string => {
      const text = renderJobText(job, services.jobs.progress(job))
      reply.keepAnswer(text.length)
      return text
    }
    const batch = await services.batches.get(tenant, request.params.batch_id, render, () => nextTurn(request, reply))
    const isLong = batch.jobs.reduce((chars, text) => chars + text.length, 0) > maxWholeChars
    const pieces = renderBatch(batch)
    return await reply.header('content-type', json).send(isLong ? Readable.from(pieces) : [...pieces].join(''))
  })
}

const downloadQuery = closedObject({
  format: Type.Enum(['zip'], {
    default: 'zip',
    description: 'A zip with the table of every completed job, in a folder named by custom_id or job_id.'
  })
})

function downloadBatch (api: Api, { config, services }: RouteContext): void {
  api.get('/forecast/batch/:batch_id/download', {
    schema: {
      operationId: 'downloadBatch',
      summary: 'Download the tables of a completed batch',
      tags: ['forecast'],
      params: batchParams,
      querystring: downloadQuery,
      response: {
        200: { description: 'The zip.', headers: fileHeaders, content: fileContent('application/zip') },
        ...errorResponses(...keyErrors, 404, 409, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'] }, givesFiles: true }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { filename, entries } = await services.batches.download(tenant, request.params.batch_id,
      baseUrlOf(request, config))
    const headers = { 'content-type': 'application/zip', 'content-disposition': attachment(filename) }
    if (request.method === 'HEAD') return await reply.headers(headers).send(Readable.from([]))
    const send = await reply.beginDownload(tenant, entries)
    const sent = entries.map(({ name, open }) => ({ name, open: async () => send(await open(), 'zip') }))
    return await reply.headers(headers).send(zipStream(sent))
  })
}

function deleteBatch (api: Api, { services }: RouteContext): void {
  api.delete('/forecast/batch/:batch_id', {
    schema: {
      operationId: 'deleteBatch',
      summary: 'Delete a batch with its jobs',
      tags: ['forecast'],
      params: batchParams,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: { access: { scope: 'jobs:delete', limits: ['read'] } }
  }, async (request, reply) => {
    await services.batches.delete(identityOf(request).tenant, request.params.batch_id, actorOf(request),
      () => nextTurn(request, reply))
    return await reply.code(204).send(undefined)
  })
}

function created (batch: Batch<JobRecord>): Answer {
  return jsonAnswer(202, [...renderBatch({ ...batch, jobs: batch.jobs.map(renderNewJob) })].join(''), {
    location: `/forecast/batch/${batch.record.batchId}`,
    'retry-after': '1'
  })
}
