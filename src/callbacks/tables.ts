import type { Sealed } from '../vault/vault.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | callbackMessages | tenant, job id, message id | CallbackMessage: one announcement and what its attempts came to |
 * | callbackDue | tenant, host, time, message id | DueEntry: to be sent from that time on |
 * | webhookSecrets | tenant | WebhookSecretRecord |
 */
export const callbackTables = ['callbackMessages', 'callbackDue', 'webhookSecrets'] as const

export const callbackTypes = ['job.completed', 'job.failed', 'job.delivered', 'job.delivery_failed'] as const
export type CallbackType = typeof callbackTypes[number]

/** What an attempt failed with, in words that stay the same. */
export const attemptErrors = [
  'timeout', 'refused_by_policy', 'name_not_resolved', 'connection_failed', 'tls_error', 'invalid_response', 'redirect', 'http_status', 'secret_unavailable'
] as const
export type AttemptError = typeof attemptErrors[number]

/** `error` null: the endpoint answered with 2xx. */
export interface CallbackAttempt {
  atMs: number
  statusCode: number | null
  error: AttemptError | null
  durationMs: number
}

/** The address is not here: it may hold a secret, and stays on the job's record alone. */
export interface CallbackMessage {
  v: 1
  /** The `webhook-id` of every attempt. */
  messageId: string
  type: CallbackType
  /** When it happened. */
  atMs: number
  /** Host and port that it goes to. */
  host: string
  /** When the next attempt is due; null: delivered, or given up. */
  dueMs: number | null
  attempts: CallbackAttempt[]
}

export interface DueEntry { jobId: string }

export interface WebhookSecretRecord {
  v: 1
  secret: Sealed
  createdAtMs: number
  /** Replaced ones, which sign as well until then; newest first. */
  previous: Array<{ secret: Sealed, untilMs: number }>
}
