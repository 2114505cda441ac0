import { TabcastError } from '../../platform/errors.ts'
import type { JobCallback } from '../../services/callbacks/callback-ledger.ts'
import { actorOf } from '../actor.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { jobParams } from '../schemas/job.ts'
import { callbackAttemptsSchema, renderSecret, webhookSecretSchema } from '../schemas/webhook.ts'

/** `admin` keys keep access to the secret, because in earlier releases only they had it. */
const secretAccess = { access: { scope: 'webhooks', adminToo: true, limits: ['read'] } } as const
const secretChange = { access: { ...secretAccess.access, limits: ['create'] } } as const

export async function webhookRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/jobs/:job_id/callback-attempts', {
    schema: {
      operationId: 'listCallbackAttempts',
      summary: 'List the callbacks that were sent for a job',
      tags: ['webhooks'],
      params: jobParams,
      response: {
        200: {
          description: 'All attempts, oldest first.',
          content: { 'application/json': { schema: callbackAttemptsSchema } }
        },
        ...errorResponses(...keyErrors, 404)
      }
    },
    config: { access: { scope: 'jobs:read', limits: ['read'] } }
  }, (request) => {
    const { job_id: jobId } = request.params
    const messages = services.callbacks.messages(identityOf(request).tenant, jobId)
    if (messages === undefined) throw new TabcastError('job_not_found')
    return attemptsOf(jobId, messages)
  })

  const secretAnswer = (description: string) => ({
    200: { description, content: { 'application/json': { schema: webhookSecretSchema } } },
    ...errorResponses(...keyErrors, 409)
  })

  api.get('/webhooks/secret', {
    schema: {
      operationId: 'getWebhookSecret',
      summary: 'Get the secret that signs callbacks',
      tags: ['webhooks'],
      response: secretAnswer('The secret. The first request creates it.')
    },
    config: secretAccess
  }, async (request) => renderSecret(await services.callbacks.secret(identityOf(request).tenant)))

  api.post('/webhooks/secret', {
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret; the old one also signs for 24 hours',
      tags: ['webhooks'],
      response: secretAnswer('The new secret.')
    },
    config: secretChange
  }, async (request, reply) =>
    await answerOnce(request, reply, services, async () => {
      const { tenant } = identityOf(request)
      const secret = await services.callbacks.rotateSecret(tenant, (tx) =>
        services.audit.append(tx, tenant, actorOf(request), {
          action: 'webhook_secret.rotate',
          target: '',
          outcome: 'success'
        }))
      return jsonAnswer(200, JSON.stringify(renderSecret(secret)))
    }))
}

function attemptsOf (jobId: string, messages: JobCallback[]) {
  const attempts = messages.flatMap(({ messageId, type, attempts }) =>
    attempts.map(({ atMs, statusCode, error, durationMs }, index) => ({
      webhook_id: messageId,
      type,
      attempt: index + 1,
      at: time(atMs),
      status_code: statusCode,
      error,
      duration_ms: durationMs
    }))
  )
  const due = messages.flatMap(({ dueMs }) => dueMs ?? [])
  return {
    job_id: jobId,
    attempts: attempts.sort((a, b) => a.at < b.at ? -1 : 1),
    next_attempt_at: due.length === 0 ? null : time(Math.min(...due))
  }
}

function time (ms: number): string {
  return new Date(ms).toISOString()
}
