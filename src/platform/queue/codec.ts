import { decode, encode } from 'cborg'
import type { JobResult } from '../../domain/job-result.ts'
import { messageVersion } from '../../domain/message-version.ts'
import { QueueError } from './queue-error.ts'

/**
 * Readers take their own version and the next one, so that old and new processes can run side by side during an
 * upgrade.
 */
const readableVersions = new Set([messageVersion, messageVersion + 1])

export function encodeMessage (message: { v: number }): Uint8Array {
  return encode(message, { ignoreUndefinedProperties: true })
}

/**
 * Checks the version and that the named fields are present; unknown fields stay, unread. Refuses anything else with
 * `protocol`, naming the fault but never quoting the contents.
 */
export function decodeMessage<T extends { v: number }> (bytes: Uint8Array, what: string,
  required: ReadonlyArray<keyof T & string>): T {
  let value: unknown
  try {
    value = decode(bytes)
  } catch (cause) {
    throw new QueueError('protocol', `${what}: not CBOR`, cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new QueueError('protocol', `${what}: not a map`)
  }
  const message = value as Record<string, unknown>
  if (!readableVersions.has(message['v'] as number)) {
    throw new QueueError('protocol',
      `${what}: version ${String(message['v'])} is not one of ${[...readableVersions].join(', ')}`)
  }
  const missing = required.find((field) => message[field] === undefined)
  if (missing !== undefined) throw new QueueError('protocol', `${what}: field ${missing} is missing`)
  return value as T
}

/** The bytes of `result.cbor`; equal results give equal bytes. */
export function encodeResult (result: JobResult): Uint8Array {
  return encodeMessage(result)
}

export function decodeResult (bytes: Uint8Array): JobResult {
  return decodeMessage<JobResult>(bytes, 'result', ['jobId', 'run', 'code', 'error', 'files', 'timings', 'warnings'])
}
