import { Type } from 'typebox'
import { attemptErrors, callbackTypes, testType } from '../../services/callbacks/tables.ts'
import type { WebhookSecret } from '../../services/callbacks/webhook-secrets.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

const attempt = Type.Object({
  webhook_id: Type.String({ description: 'The webhook-id header; the same for all attempts of one announcement.' }),
  type: Type.Enum(callbackTypes),
  attempt: Type.Integer({ description: 'Counted from 1 for each announcement.' }),
  at: time,
  status_code: nullable(Type.Integer(), 'null: no answer came.'),
  error: nullable(Type.Enum(attemptErrors), 'null: answered with 2xx.'),
  duration_ms: Type.Integer()
})

export const callbackAttemptsSchema = Type.Object({
  job_id: Type.String(),
  attempts: Type.Array(attempt),
  next_attempt_at: nullable(time, 'null: nothing more will be sent.')
})

export const webhookSecretSchema = Type.Object({
  secret: Type.String({
    description: 'whsec_ and 32 bytes in base64: the key of the HMAC-SHA256 in webhook-signature.'
  }),
  created_at: time,
  previous_expires_at: nullable(time, 'Until then the secret before this one signs as well; null: only this one does.')
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
        : 'the callback_url of the job, and to the endpoints that are told of it'
    }`,
    description:
      'As Standard Webhooks has it. Sent at least once and in no order; any answer but 2xx is tried again, 410 is not.',
    tags: ['webhooks'],
    parameters: [
      header('webhook-id', 'The same for every attempt.'),
      header('webhook-timestamp', 'Seconds since 1970 at which this attempt was made.'),
      header('webhook-signature',
        'v1 and the HMAC-SHA256 of id.timestamp.body in base64; after a rotation one for each secret, separated by ' +
          'spaces.')
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
    responses: { '2XX': { description: 'Taken.' } }
  }
})

const ofJob = { anyOf: [{ $ref: '#/components/schemas/Job' }, { $ref: '#/components/schemas/TabularJob' }] }
const omitted = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'Fields of the job that are null here because the body would have 20,000 bytes or more.'
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
