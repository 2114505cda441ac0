import { connectorCodes, type ConnectorCode } from '../../domain/connector-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import { defined } from '../../platform/defined.ts'

const suggestions: Partial<Record<ConnectorCode, string>> = {
  DATASET_TOO_LARGE: 'Narrow the prefix or the key pattern; GET /limits gives the bounds.',
  DECOMPRESSION_LIMIT: 'Split the source into smaller files, or store it with less compression.',
  DESTINATION_EXISTS: 'Use another key_template, or allow_overwrite.'
}

/** A guess, because the store's own advice is not passed on. */
const retryAfterSeconds = 5

/** The HTTP error for a failure of a customer's store. */
export function connectorFailure (code: ConnectorCode, detail?: string, suggestion?: string): TabcastError {
  const { status, retryable, text } = connectorCodes[code]
  const advice = suggestion ?? suggestions[code]
  return new TabcastError('connector_error', detail ?? text, {
    status,
    retryable,
    connectorCode: code,
    ...defined({ suggestion: advice }),
    ...(status === 429 ? { retryAfterSeconds } : {})
  })
}
