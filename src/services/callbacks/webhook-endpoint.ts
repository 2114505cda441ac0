import type { AnnouncedType } from './tables.ts'

/** Of one tenant. Each adds a message to every end of a job. */
export const maxWebhookEndpoints = 20
/** Test events of one endpoint that are kept; older ones go with the next. */
export const keptTestEvents = 20
/** Messages of one endpoint that were not sent, as too many waited, and are kept; older ones go with the next. */
export const keptUnsent = 100
/** Attempts of one message, those that somebody asked for included. */
export const maxDeliveryAttempts = 50
/** For so long every attempt has to fail before an endpoint is disabled. */
export const failingDays = 5

/** `failing`: nothing got through for days. `gone`: it answered 410. */
export const disabledReasons = ['failing', 'gone'] as const

/** Where a tenant is told of its jobs, beside the `callback_url` of each. */
export interface WebhookEndpoint {
  v: 1
  endpointId: string
  tenant: string
  /** May hold a secret: it is in no log and no audit record. */
  url: string
  events: AnnouncedType[]
  description: string | null
  enabled: boolean
  /** Why the service disabled it; null: it did not. */
  disabledReason: typeof disabledReasons[number] | null
  /** The first failed attempt since one that succeeded; null: the last one did. */
  failingSinceMs: number | null
  /** Messages that came while too many waited; absent: none. */
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
