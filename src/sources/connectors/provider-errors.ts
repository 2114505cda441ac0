import type { ConnectorCode } from '../../domain/connector-codes.ts'
import { NetworkRefusal } from '../../platform/network/network-refusal.ts'
import { VaultError } from '../../platform/vault/vault.ts'
import { ConnectorError } from './connector-error.ts'
import { ProviderStatusError, ProviderTimeout } from './provider-transport.ts'

/**
 * Error names of providers (S3 and STS) and of the operating system, and the codes that clients get for them. Servers
 * differ in upper and lower case.
 */
const known: ReadonlyMap<string, ConnectorCode> = new Map(Object.entries({
  AUTHENTICATION_FAILED: ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken', 'InvalidTokenId',
    'InvalidClientTokenId', 'InvalidSecurity', 'NotSignedUp', 'RequestTimeTooSkewed', 'XAdminUserNotFound'],
  AUTHORIZATION_FAILED: ['AccessDenied', 'AccessDeniedException', 'AllAccessDisabled', 'AccountProblem',
    'UnauthorizedAccess'],
  CREDENTIALS_EXPIRED: ['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired'],
  SOURCE_NOT_FOUND: ['NoSuchBucket', 'NoSuchKey', 'NotFound'],
  RATE_LIMITED: ['SlowDown', 'Throttling', 'ThrottlingException', 'TooManyRequests', 'RequestLimitExceeded',
    'BandwidthLimitExceeded'],
  TIMEOUT: ['RequestTimeout', 'ETIMEDOUT'],
  PROVIDER_UNAVAILABLE: ['ServiceUnavailable', 'InternalError', 'OperationAborted', 'ServerBusy'],
  SOURCE_CHANGED: ['PreconditionFailed'],
  INVALID_CONFIGURATION: [
    'AuthorizationHeaderMalformed',
    'PermanentRedirect',
    'MovedPermanently',
    'TemporaryRedirect',
    'Redirect',
    'InvalidBucketName',
    'InvalidRegion',
    'IllegalLocationConstraintException',
    'NotImplemented',
    'MethodNotAllowed',
    'InvalidRequest',
    'InvalidArgument',
    'MalformedXML',
    'ValidationError',
    'InvalidParameterValue'
  ],
  INVALID_KEY: ['KeyTooLongError', 'KeyTooLong', 'XMinioInvalidObjectName'],
  NETWORK_ERROR: [
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EAI_NODATA',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EADDRNOTAVAIL',
    'ERR_STREAM_PREMATURE_CLOSE'
  ],
  TLS_ERROR: [
    'EPROTO',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'CERT_UNTRUSTED',
    'CERT_REJECTED',
    'HOSTNAME_MISMATCH',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_TLS_HANDSHAKE_TIMEOUT'
  ]
} satisfies Partial<Record<ConnectorCode, string[]>>).flatMap(([code, names]) =>
  names.map((name) => [name.toLowerCase(), code as ConnectorCode])
))

/** Used if the provider gives no known code. */
const byStatus: Readonly<Record<number, ConnectorCode>> = {
  401: 'AUTHENTICATION_FAILED',
  403: 'AUTHORIZATION_FAILED',
  404: 'SOURCE_NOT_FOUND',
  405: 'INVALID_CONFIGURATION',
  408: 'TIMEOUT',
  412: 'SOURCE_CHANGED',
  429: 'RATE_LIMITED',
  501: 'INVALID_CONFIGURATION',
  504: 'TIMEOUT'
}

/** Maps any error to one of the codes. The provider's text stays in `cause`, which is logged at debug level only. */
export function asConnectorError (thrown: unknown): ConnectorError {
  // The library wraps errors in errors; the first one from outside that is recognised counts.
  for (let error: unknown = thrown, depth = 0; error !== undefined && error !== null && depth < 8;
    error = (error as Error).cause, depth++) {
    const found = codeOf(error)
    if (found instanceof ConnectorError) return found
    if (found !== undefined) return new ConnectorError(found, thrown)
  }
  return new ConnectorError('INTERNAL_ERROR', thrown)
}

function codeOf (error: unknown): ConnectorError | ConnectorCode | undefined {
  if (error instanceof ConnectorError) return error
  if (error instanceof NetworkRefusal) return 'ENDPOINT_NOT_ALLOWED'
  if (error instanceof VaultError) return 'CREDENTIALS_UNAVAILABLE'
  if (error instanceof ProviderTimeout) return 'TIMEOUT'
  if (error instanceof ProviderStatusError) {
    return known.get(error.code.toLowerCase()) ?? byStatus[error.status] ?? ofClass(error.status)
  }
  const { name, code } = error as { name?: unknown, code?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'TIMEOUT'
  // The answer is not a store's XML: it came from some other server, or one without the S3 interface.
  if (name === 'InvalidXMLError' || name === 'UnreadableList' || name === 'UnboundedAnswer') {
    return 'INVALID_CONFIGURATION'
  }
  if (typeof code === 'string' && code.startsWith('HPE_')) return 'NETWORK_ERROR'
  return known.get(String(code).toLowerCase())
}

/** Redirects are not followed: they mean that the store is not where the connection says. */
function ofClass (status: number): ConnectorCode {
  if (status < 400) return 'INVALID_CONFIGURATION'
  return status < 500 ? 'INTERNAL_ERROR' : 'PROVIDER_UNAVAILABLE'
}
