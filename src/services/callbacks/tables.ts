import type { Sealed } from '../../domain/sealed.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | callbackMessages | tenant, job id, message id | CallbackMessage: one announcement with its attempts |
 * | callbackDue | tenant, host, time, message id | DueEntry: send it from that time on |
 * | callbackTotals | tenant; or tenant, host | TenantTotal; or HostTotal: how many messages wait |
 * | webhookSecrets | tenant; or tenant, endpoint id | WebhookSecretRecord |
 * | webhookEndpoints | tenant, endpoint id | WebhookEndpoint |
 * | endpointMessages | tenant, endpoint id, message id | DueEntry: locates a message to the endpoint |
 * | endpointUnsent | tenant, endpoint id, place | UnsentEntry: locates one of the newest unsent messages |
 *
 * A test event has no job, so its key in callbackMessages has the endpoint's id instead. Hosts without waiting messages
 * have no total.
 */
export const callbackTables = ['callbackMessages', 'callbackDue', 'callbackTotals', 'webhookSecrets',
  'webhookEndpoints', 'endpointMessages', 'endpointUnsent'] as const

export const callbackTypes = ['job.completed', 'job.failed', 'job.delivered', 'job.delivery_failed'] as const
export type AnnouncedType = typeof callbackTypes[number]
/** A test event, sent to an endpoint on request. */
export const testType = 'webhook.test'
export type CallbackType = AnnouncedType | typeof testType

/** The reasons of failed attempts, which clients may rely on. */
export const attemptErrors = [
  'timeout',
  'refused_by_policy',
  'name_not_resolved',
  'connection_failed',
  'tls_error',
  'invalid_response',
  'redirect',
  'http_status',
  'secret_unavailable',
  'endpoint_disabled'
] as const
export type AttemptError = typeof attemptErrors[number]

/** `error` null: the endpoint answered 2xx. */
export interface CallbackAttempt {
  atMs: number
  statusCode: number | null
  error: AttemptError | null
  durationMs: number
}

/** The address is not stored here. It may hold a secret, so only the job's record has it. */
export interface CallbackMessage {
  v: 1
  /** The `webhook-id` of every attempt. */
  messageId: string
  type: CallbackType
  /** The endpoint that it goes to; absent for the job's callback_url. */
  endpointId?: string
  /** When the event happened. */
  atMs: number
  /** Host and port of the receiver. */
  host: string
  /** When the next attempt is due; null: delivered or given up. */
  dueMs: number | null
  attempts: CallbackAttempt[]
}

/** `jobId`: for a test event, the endpoint's id. */
export interface DueEntry {
  jobId: string
}

/** The waiting messages of a tenant. */
export interface TenantTotal {
  waiting: number
  /** How many of them are for failing hosts; absent: none. */
  ofFailing?: number
}

/** The waiting messages of a tenant to a host. */
export interface HostTotal {
  waiting: number
  /** How many attempts in a row must succeed before the host counts as healthy. Absent or 0: it is healthy. */
  toProve?: number
}

/** Locates a message that was not sent because too many waited. */
export interface UnsentEntry {
  jobId: string
  messageId: string
}

export interface WebhookSecretRecord {
  v: 1
  secret: Sealed
  createdAtMs: number
  /** Replaced secrets, newest first. They also sign until `untilMs`. */
  previous: Array<{ secret: Sealed, untilMs: number }>
}
