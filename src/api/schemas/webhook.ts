import { Type } from 'typebox'
import { attemptErrors, callbackTypes } from '../../callbacks/tables.ts'
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
  secret: Type.String({ description: 'whsec_ and 32 bytes in base64: the key of the HMAC-SHA256 in webhook-signature.' }),
  created_at: time,
  previous_expires_at: nullable(time, 'Until then the secret before this one signs as well; null: only this one does.')
})
