import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { statusOf, type EndpointMessage } from '../../services/callbacks/callback-ledger.ts'
import { attemptErrors, callbackTypes, testType } from '../../services/callbacks/tables.ts'
import { disabledReasons, type WebhookEndpoint } from '../../services/callbacks/webhook-endpoint.ts'
import { callbackStatuses } from '../../services/jobs/job-record.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where to POST events, as Standard Webhooks specifies. The rules of callback_url apply.'
})
const events = Type.Array(Type.Enum(callbackTypes), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'The events to send.'
})
const description = nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  'Its purpose, in your own words.')

export const newEndpointBody = closedObject({
  url,
  events: {
    ...events,
    default: [...callbackTypes],
    description: 'The events to send; left out: every end of a job or a delivery.'
  },
  description: Type.Optional(description),
  enabled: Type.Boolean({ default: true, description: 'A disabled endpoint receives nothing.' })
})

export const endpointChangeBody = closedObject({
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(description),
  enabled: Type.Optional(Type.Boolean({ description: 'true also enables an endpoint that the service disabled.' }))
}, { minProperties: 1 })

export const endpointSchema = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.Enum(callbackTypes)),
  description: nullable(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: nullable(Type.Enum(disabledReasons),
    '`failing`: every attempt of five days failed. `gone`: the address answered 410. null: the service ' +
      'did not disable it.'),
  failing_since: nullable(time,
    'The first failed attempt after the last successful one; null: the last attempt succeeded, or there was none.'),
  unsent_messages: Type.Integer({
    description:
      'Messages that were not sent because too many were waiting. The newest 100 are in the list of deliveries, as ' +
      'failed without an attempt. You can redeliver them.'
  }),
  created_at: time,
  updated_at: time
}, { $id: 'WebhookEndpoint' })

export const endpointListSchema = Type.Object({
  endpoints: Type.Array(Type.Ref('WebhookEndpoint'), { description: 'All of them, oldest first.' })
}, { $id: 'WebhookEndpointList' })

export const endpointDeliverySchema = Type.Object({
  webhook_id: Type.String({ description: 'The webhook-id header, the same for every attempt.' }),
  type: Type.Enum([...callbackTypes, testType]),
  job_id: nullable(Type.String(), 'null: a test event.'),
  status: Type.Enum(callbackStatuses),
  created_at: time,
  next_attempt_at: nullable(time, 'null: there is no further attempt.'),
  attempts: Type.Array(Type.Object({
    at: time,
    status_code: nullable(Type.Integer(), 'null: no answer came.'),
    error: nullable(Type.Enum(attemptErrors), 'null: answered with 2xx.'),
    duration_ms: Type.Integer()
  }), { description: 'Oldest first.' })
}, { $id: 'WebhookDelivery' })

export const endpointDeliveriesSchema = Type.Object({
  deliveries: Type.Array(Type.Ref('WebhookDelivery'), {
    description: 'Newest first. A delivery is deleted with its job. The newest 20 test events are kept.'
  }),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'WebhookDeliveryList' })

export const webhookEndpointSchemas = [endpointSchema, endpointListSchema, endpointDeliverySchema,
  endpointDeliveriesSchema]

/** Each field is picked by name, so that nothing can leak. */
export function renderEndpoint (
  {
    endpointId,
    url,
    events,
    description,
    enabled,
    disabledReason,
    failingSinceMs,
    unsent = 0,
    createdAtMs,
    updatedAtMs
  }: WebhookEndpoint
) {
  return {
    endpoint_id: endpointId,
    url,
    events,
    description,
    enabled,
    disabled_reason: disabledReason,
    failing_since: failingSinceMs === null ? null : timeOf(failingSinceMs),
    unsent_messages: unsent,
    created_at: timeOf(createdAtMs),
    updated_at: timeOf(updatedAtMs)
  }
}

export function renderDelivery (message: EndpointMessage) {
  const { messageId, type, subject, atMs, dueMs, attempts } = message
  return {
    webhook_id: messageId,
    type,
    job_id: type === testType ? null : subject,
    status: statusOf(message),
    created_at: timeOf(atMs),
    next_attempt_at: dueMs === null ? null : timeOf(dueMs),
    attempts: attempts.map(({ atMs, statusCode, error, durationMs }) => ({
      at: timeOf(atMs),
      status_code: statusCode,
      error,
      duration_ms: durationMs
    }))
  }
}

function timeOf (ms: number): string {
  return new Date(ms).toISOString()
}
