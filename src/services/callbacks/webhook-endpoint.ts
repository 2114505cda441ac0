import type { AnnouncedType } from './tables.ts'

/** Limit for each tenant. Each endpoint adds a message to the end of every job. */
export const maxWebhookEndpoints = 20
/** Test events kept for each endpoint; the next one displaces the oldest. */
export const keptTestEvents = 20
/** Unsent messages kept for each endpoint; the next one displaces the oldest. */
export const keptUnsent = 100
/** The most attempts for one message, including requested ones. */
export const maxDeliveryAttempts = 50
/** How long every attempt must fail before an endpoint is disabled. */
export const failingDays = 5

/** `failing`: no attempt succeeded for days. `gone`: the endpoint answered 410. */
export const disabledReasons = ['failing', 'gone'] as const

/** An address for the callbacks of all of a tenant's jobs, in addition to each job's `callback_url`. */
export interface WebhookEndpoint {
  v: 1
  endpointId: string
  tenant: string
  /** May hold a secret, so no log and no audit record has it. */
  url: string
  events: AnnouncedType[]
  description: string | null
  enabled: boolean
  /** Why the service disabled it; null: the service did not. */
  disabledReason: typeof disabledReasons[number] | null
  /** The first failed attempt since the last success; null: the last attempt succeeded. */
  failingSinceMs: number | null
  /** Messages that were not sent because too many waited; absent: none. */
  unsent?: number
  createdAtMs: number
  updatedAtMs: number
}

export function isEndpointId (text: string): boolean {
  return /^whep_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

export function isMessageId (text: string): boolean {
  return /^msg_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}
