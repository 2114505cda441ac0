import { ErrorCode, NatsError } from 'nats'
import { QueueError } from './queue-error.ts'

/** JetStream's own error numbers, from the server's errors.json. */
export const apiErrors = {
  streamNameInUse: 10058,
  maximumMessages: 10077,
  noMessageFound: 10037,
  sequenceNotFound: 10043,
  messageDeleteFailed: 10057,
  consumerExists: 10148,
  consumerNotFound: 10014
} as const

export function apiErrorCode (error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined
}

/**
 * A full stream and a missing stream both answer 503; only the error number tells them apart. Any other failure may be
 * tried again (timeouts, lost connections, JetStream starting), except a message that is too large.
 */
export function toQueueError (error: unknown, doing: string): QueueError {
  if (error instanceof QueueError) return error
  const message = `${doing}: ${error instanceof Error ? error.message : String(error)}`
  return new QueueError(isFull(error) ? 'full' : isTooLarge(error) ? 'too_large' : 'unavailable', message, error)
}

function isTooLarge (error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded
}

function isFull (error: unknown): boolean {
  if (apiErrorCode(error) === apiErrors.maximumMessages) return true
  return error instanceof NatsError && error.message.startsWith('maximum bytes exceeded')
}
