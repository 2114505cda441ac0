import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { isTerminal, jobStatuses, type JobRecord } from '../../services/jobs/job-record.ts'
import type { JobQuery } from '../../services/jobs/job-service.ts'
import { actorOf } from '../actor.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { jobOfCaller, visible } from '../job-of-caller.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { payerOf } from '../payer-of.ts'
import { readJob } from '../read-job.ts'
import { renderJobAnswer, renderJobText } from '../render-job.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { jobTypes } from '../schemas/job-life.ts'
import { anyJob, jobParams } from '../schemas/job.ts'
import { noBody } from '../schemas/no-body.ts'

const json = 'application/json; charset=utf-8'
/** Without a reason an abort makes an error with a stack, for nobody. */
const clientLeft = 'the client has left'

export async function jobRoutes (api: Api, context: RouteContext): Promise<void> {
  listJobs(api, context)
  getJob(api, context)
  deleteJob(api, context)
}

const listQuery = closedObject({
  status: Type.Optional(
    Type.Array(Type.Enum(jobStatuses), {
      maxItems: 4,
      description: 'Only jobs with this status; may be repeated.'
    })
  ),
  job_type: Type.Optional(Type.Enum(jobTypes, { description: 'Only jobs of this type.' })),
  created_after: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'Only jobs created after this time.' })
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'At most this many jobs are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: '`next_cursor` of the previous page; use the same filters.'
    })
  )
})

function listJobs (api: Api, { services }: RouteContext): void {
  api.get('/jobs', {
    schema: {
      operationId: 'listJobs',
      summary: 'List jobs, newest first',
      tags: ['jobs'],
      querystring: listQuery,
      response: {
        200: {
          description: 'One page. It may have fewer entries than the limit.',
          content: { 'application/json': { schema: Type.Ref('JobList') } }
        },
        ...errorResponses(...keyErrors, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'] } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { cursorKey } = services.secrets
    const { status = [], job_type: jobType = null, created_after: createdAfter, limit, cursor } = request.query
    const binding = [tenant, [...status].sort(), jobType, createdAfter ?? null]
    const before = positionOf(cursorKey, binding, cursor)
    const query: JobQuery = {
      statuses: status,
      jobType,
      createdAfterMs: createdAfter === undefined ? null : Date.parse(createdAfter),
      limit,
      before
    }
    const { jobs, next } = services.jobs.list(tenant, query)
    const texts = jobs.map((record) => renderJobText(record, services.jobs.progress(record)))
    const nextCursor = next === null ? null : writeCursor(cursorKey, binding, next)
    return await reply.header('content-type', json).send(
      `{"jobs":[${texts.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`
    )
  })
}

const jobQuery = closedObject({
  wait: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 30, description: 'Seconds to wait for a change of status before the answer.' })
  )
})

function getJob (api: Api, { services }: RouteContext): void {
  api.get('/jobs/:job_id', {
    schema: {
      operationId: 'getJob',
      summary: 'Get a job',
      tags: ['jobs'],
      params: jobParams,
      querystring: jobQuery,
      response: {
        200: {
          description: 'The job. While it is pending or running, the answer has `Retry-After`.',
          headers: { 'Retry-After': Type.Optional(Type.String()) },
          content: { 'application/json': { schema: anyJob } }
        },
        ...errorResponses(...keyErrors, 404, 422)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'], sandboxToo: true, constant: true } }
  }, (request, reply) => {
    const { tenant } = identityOf(request)
    const { job_id: jobId } = request.params
    const { wait = 0 } = request.query
    const answer = (found: JobRecord | undefined) => {
      const record = visible(request, found)
      if (!isTerminal(record)) reply.header('retry-after', retryAfterSeconds(record))
      return reply.header('content-type', json).send(renderJobAnswer(record, services.jobs.progress(record)))
    }
    const now = readJob(request, services, jobId, () => {
      const record = jobOfCaller(request, services, jobId)
      return wait === 0 ? answer(record) : undefined
    })
    if (now !== undefined) return now
    const left = new AbortController()
    reply.raw.once('close', () => left.abort(clientLeft))
    return services.jobs.wait(tenant, jobId, wait, left.signal, payerOf(request, tenant)).then((record) =>
      readJob(request, services, jobId, () => answer(record))
    )
  })
}

function deleteJob (api: Api, { services }: RouteContext): void {
  api.delete('/jobs/:job_id', {
    schema: {
      operationId: 'deleteJob',
      summary: 'Delete a job and its files; a job that has not ended is cancelled',
      tags: ['jobs'],
      params: jobParams,
      response: { 204: noBody('Deleted.'), ...errorResponses(...keyErrors, 404) }
    },
    config: { access: { scope: 'jobs:delete', limits: ['read'], constant: true } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { job_id: jobId } = request.params
    const isDeleted = await services.jobs.delete(tenant, jobId,
      (tx) =>
        services.audit.append(tx, tenant, actorOf(request), {
          action: 'job.delete',
          target: jobId,
          outcome: 'success'
        }))
    if (!isDeleted) throw new TabcastError('job_not_found')
    return await reply.code(204).send(undefined)
  })
}

/** 1 to 5 seconds, growing with the job's age, because a long job needs fewer polls. */
function retryAfterSeconds (record: JobRecord): string {
  const ageSeconds = (Date.now() - record.createdAtMs) / 1000
  return String(1 + [10, 30, 60, 120].filter((bound) => ageSeconds >= bound).length)
}
