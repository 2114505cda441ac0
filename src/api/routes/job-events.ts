import { maxHeaderSize } from 'node:http'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { TabcastError } from '../../platform/errors.ts'
import type { JobRecord } from '../../services/jobs/job-record.ts'
import type { Api, RouteContext } from '../api.ts'
import { EventStream } from '../events/event-stream.ts'
import { JobFeed } from '../events/job-feed.ts'
import { OpenStreams } from '../events/open-streams.ts'
import { identityOf } from '../identity-of.ts'
import { stillMay } from '../plugins/access.ts'
import { readJob } from '../read-job.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { jobParams } from '../schemas/job.ts'
import { noBody } from '../schemas/no-body.ts'

/** How long a reader waits before it reconnects. */
const retryMs = 2000

const description = [
  'Server-sent events. `state` has the job as GET answers it: at first, and at each change of its status or attempt.',
  '`progress` has {stage, fraction, queue_position, shards}. After the end of the job, `delivery` has {job_id,',
  'delivery_status, delivery_uri, delivery_error, callback_status}. `deleted` has {job_id}. The stream ends when no',
  'event can follow, and when its key is revoked or expires. `id` is the revision of the job. If you reconnect with',
  'Last-Event-ID, you get the changes since then, or 204 if nothing can change any more.'
].join(' ')

export async function jobEventRoutes (api: Api, context: RouteContext): Promise<void> {
  const streams = new OpenStreams(context.config.EVENT_STREAMS_PER_TENANT)
  api.addHook('preClose', (done) => {
    streams.endAll()
    done()
  })
  followJob(api, context, streams)
}

function followJob (api: Api, { config, services }: RouteContext, streams: OpenStreams): void {
  api.get('/jobs/:job_id/events', {
    schema: {
      operationId: 'followJob',
      summary: 'Stream the events of a job',
      tags: ['jobs'],
      params: jobParams,
      headers: Type.Object({
        'last-event-id': Type.Optional(
          Type.String({ maxLength: maxHeaderSize, description: '`id` of the last event that you received.' })
        )
      }),
      response: {
        200: { description, content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } },
        204: noBody('The job has ended, and you have received its last event.'),
        ...errorResponses(...keyErrors, 404)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'], constant: true }, givesFiles: true },
    exposeHeadRoute: false
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { job_id: jobId } = request.params
    const feed = new JobFeed(jobId, revisionOf(request.headers['last-event-id']))
    const progressOf = (record: JobRecord) => services.jobs.progress(record)
    const first = readJob(request, services, jobId, () => {
      const entry = services.jobs.entry(tenant, jobId)
      if (entry === undefined) throw new TabcastError('job_not_found')
      return feed.next(entry, progressOf)
    })
    if (first.isLast && first.text === '') return await reply.code(204).send(undefined)

    const stream = new EventStream()
    streams.add(tenant, stream)
    const tell = ({ text, isLast, isLossy } = feed.next(services.jobs.entry(tenant, jobId), progressOf)): void => {
      // Ends the stream of a key that was revoked or has expired; a reconnect gets a 401.
      const isRefused = !stillMay(request, services.keys, 'jobs:read')
      if (!isRefused && text !== '' && !(isLossy && stream.isBehind)) stream.send(text)
      if (!isLast && !isRefused) return
      release()
      stream.end()
    }
    const unfollow = services.jobs.follow(jobId, tell)
    const heartbeat = setInterval(() => {
      tell()
      stream.beat()
    }, config.EVENT_HEARTBEAT_MS)
    const release = (): void => {
      clearInterval(heartbeat)
      unfollow()
    }
    stream.readable.once('close', release)
    stream.send(`retry: ${retryMs}\n\n`)
    tell(first)
    return await reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' })
      .send(stream.readable)
  })
}

/** Anything but a revision is not an id of ours, so the reader gets all events. */
function revisionOf (header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null
}
