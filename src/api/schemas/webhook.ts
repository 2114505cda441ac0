import { Type } from 'typebox'
import { attemptErrors, callbackTypes, testType } from '../../services/callbacks/tables.ts'
import type { WebhookSecret } from '../../services/callbacks/webhook-secrets.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

const attempt = Type.Object({
  webhook_id: Type.String({ description: 'The webhook-id header, the same for all attempts of one callback.' }),
  type: Type.Enum(callbackTypes),
  attempt: Type.Integer({ description: 'Counted from 1 for each callback.' }),
  at: time,
  status_code: nullable(Type.Integer(), 'null: no answer came.'),
  error: nullable(Type.Enum(attemptErrors), 'null: answered with 2xx.'),
  duration_ms: Type.Integer()
})

export const callbackAttemptsSchema = Type.Object({
  job_id: Type.String(),
  attempts: Type.Array(attempt),
  next_attempt_at: nullable(time, 'null: there is no further attempt.')
})

export const webhookSecretSchema = Type.Object({
  secret: Type.String({
    description: 'whsec_ and 32 bytes in base64: the key of the HMAC-SHA256 in webhook-signature.'
  }),
  created_at: time,
  previous_expires_at: nullable(time, 'Until then the previous secret signs as well; null: only this secret signs.')
})

export function renderSecret ({ secret, createdAtMs, previousUntilMs }: WebhookSecret) {
  return {
    secret,
    created_at: new Date(createdAtMs).toISOString(),
    previous_expires_at: previousUntilMs === null ? null : new Date(previousUntilMs).toISOString()
  }
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const }
})

const announcement = (type: string, data: object, more: object = {}) => ({
  post: {
    summary: `${type}, sent to ${
      type === testType
        ? 'an endpoint that is tested'
        : 'the callback_url of the job, and to the endpoints with this event'
    }`,
    description:
      'Sent as Standard Webhooks specifies, at least once and in any order. After an answer other than 2xx or 410 it ' +
      'is sent again.',
    tags: ['webhooks'],
    parameters: [
      header('webhook-id', 'The same for every attempt.'),
      header('webhook-timestamp', 'Time of this attempt, seconds since 1970.'),
      header('webhook-signature',
        'v1 and the HMAC-SHA256 of id.timestamp.body in base64. After a rotation, one for each secret, ' +
          'separated by spaces.')
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object' as const,
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { const: type },
              timestamp: { type: 'string' as const, format: 'date-time', description: 'When it happened.' },
              data,
              ...more
            }
          }
        }
      }
    },
    responses: { '2XX': { description: 'Accepted.' } }
  }
})

const ofJob = { anyOf: [{ $ref: '#/components/schemas/Job' }, { $ref: '#/components/schemas/TabularJob' }] }
const omitted = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'Fields of the job that are null here, because the body would reach 20,000 bytes.'
}
const ofEndpoint = {
  type: 'object' as const,
  required: ['endpoint_id'],
  properties: { endpoint_id: { type: 'string' as const } }
}

/** The messages that receivers get, for the interface description. */
export const announcements = {
  ...Object.fromEntries(callbackTypes.map((type) => [type, announcement(type, ofJob, { omitted })])),
  [testType]: announcement(testType, ofEndpoint)
}
