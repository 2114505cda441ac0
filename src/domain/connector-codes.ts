/**
 * Everything that can be wrong with a customer's store, as a client sees it. `status` is the HTTP status if the
 * operation answers a request. Clients see only the sentence, because a provider's own text may contain anything, even
 * keys.
 */
export const connectorCodes = {
  AUTHENTICATION_FAILED: { status: 502, retryable: false, text: 'The store does not accept the access key.' },
  AUTHORIZATION_FAILED: {
    status: 502,
    retryable: false,
    text: 'The credentials do not allow this operation on the bucket.'
  },
  CREDENTIALS_EXPIRED: { status: 502, retryable: false, text: 'The credentials have expired.' },
  CREDENTIALS_UNAVAILABLE: {
    status: 502,
    retryable: false,
    text: 'The stored credentials cannot be opened here; give them again, or ask the operator about the keyring.'
  },
  SOURCE_NOT_FOUND: {
    status: 404,
    retryable: false,
    text:
      'The bucket or the object does not exist, or no object matches; a prefix that stands for a folder ends with a ' +
      'slash.'
  },
  EMPTY_SOURCE: { status: 400, retryable: false, text: 'The source holds no data.' },
  RATE_LIMITED: { status: 429, retryable: true, text: 'The store asks for fewer requests.' },
  TIMEOUT: { status: 504, retryable: true, text: 'The store did not answer in time.' },
  NETWORK_ERROR: { status: 502, retryable: true, text: 'The store cannot be reached.' },
  TLS_ERROR: { status: 502, retryable: false, text: 'No trusted encrypted connection to the store could be made.' },
  ENDPOINT_NOT_ALLOWED: {
    status: 400,
    retryable: false,
    text: 'This deployment does not connect to that address; TABCAST_CONNECTOR_ALLOW_CIDRS opens private networks.'
  },
  PROVIDER_UNAVAILABLE: { status: 502, retryable: true, text: 'The store reports a failure of its own.' },
  DATASET_TOO_LARGE: { status: 413, retryable: false, text: 'The source is larger than a connection may read.' },
  DECOMPRESSION_LIMIT: {
    status: 413,
    retryable: false,
    text: 'The source inflates to more than this deployment allows.'
  },
  UNSUPPORTED_FORMAT: { status: 400, retryable: false, text: 'This file format is not supported here.' },
  UNSUPPORTED_COMPRESSION: { status: 400, retryable: false, text: 'This compression is not supported here.' },
  FORMAT_MISMATCH: {
    status: 400,
    retryable: false,
    text: 'The content is not of the declared file_format and compression.'
  },
  CORRUPT_DATA: { status: 400, retryable: false, text: 'The content is damaged.' },
  SCHEMA_MISMATCH: {
    status: 400,
    retryable: false,
    text: 'The parts of the source, or its columns, do not fit what was asked for.'
  },
  INVALID_CONFIGURATION: {
    status: 400,
    retryable: false,
    text: "The connection's settings do not fit the store or this deployment."
  },
  INVALID_KEY: { status: 400, retryable: false, text: 'An object key is not usable.' },
  DESTINATION_EXISTS: {
    status: 409,
    retryable: false,
    text: "There is another object under the destination's key; only allow_overwrite replaces it."
  },
  WRITE_FAILED: { status: 502, retryable: true, text: 'The store did not take the object.' },
  SOURCE_CHANGED: { status: 502, retryable: true, text: 'An object changed while it was read.' },
  INTERNAL_ERROR: { status: 502, retryable: true, text: 'The connector failed unexpectedly.' }
} as const satisfies Record<string, { status: number, retryable: boolean, text: string }>

export type ConnectorCode = keyof typeof connectorCodes
