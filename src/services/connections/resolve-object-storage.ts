import type { AuthMethod, ObjectStorage } from '../../domain/connection.ts'
import type { FieldError } from '../../domain/error-codes.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'
import { NetworkRefusal } from '../../platform/network/network-refusal.ts'
import { ConnectorError } from '../../sources/connectors/connector-error.ts'
import { checkKeyPrefix } from '../../sources/connectors/object-key.ts'
import { endpointAddress } from '../../sources/connectors/store-session.ts'
import { connectorFailure } from './connector-failure.ts'
import { reservedAuthMethods, type CredentialsInput, type ObjectStorageInput } from './object-storage.ts'

export interface StorageRules {
  policy: NetworkPolicy
  /** Whether connections may use the service's own identity. */
  ambientAuth: boolean
}

const defaultRegion = 'us-east-1'

/**
 * Checks what the schema cannot: 422 with every wrong field at once, or a connector_error for settings that this
 * deployment forbids. Credentials that the method does not use are refused, so that no unused secret is stored.
 * `stored` is the connection so far. Its secrets stay in use only for the store that they were given for, so that
 * nobody can have them sent elsewhere by changing the connection.
 */
export function resolveObjectStorage (input: ObjectStorageInput, rules: StorageRules,
  stored?: ObjectStorage): { objectStorage: ObjectStorage, credentials: CredentialsInput | null } {
  const fields: FieldError[] = []
  const { bucket, auth_method: authMethod, file_format: fileFormat } = input
  const refuse = (field: string, error: string): void => {
    const value = (input as Record<string, unknown>)[field]
    fields.push({
      loc: ['body', 'object_storage', field],
      msg: error,
      type: 'value_error',
      ...echo(field, value),
      ctx: { error }
    })
  }
  const region = input.region ?? defaultRegion
  const [provider, keyPattern, endpointUrl, compression, roleArn, externalId] = [input.provider, input.key_pattern,
    input.endpoint_url, input.compression, input.role_arn, input.external_id].map((value) =>
      value === '' ? null : value ?? null
    )
  const credentials = input.credentials ?? null
  if (!isBucketName(bucket)) {
    refuse('bucket', 'a bucket\'s name is 3 to 63 of a-z, 0-9, "-" and ".", between letters or digits, and no address')
  }
  if (!/^[a-z0-9-]{1,32}$/.test(region)) refuse('region', 'a region has only a-z, 0-9 and "-"')
  if (!isUsableKey(input.prefix ?? '')) {
    refuse('prefix', 'a prefix has no "..", no control characters, no backslash, and does not begin with "/"')
  }
  if (!isUsableKey(keyPattern ?? '')) {
    refuse('key_pattern', 'a pattern has no "..", no control characters, no backslash, and does not begin with "/"')
  }
  if (fileFormat === 'parquet' && compression !== null) {
    refuse('compression', 'parquet files have a compression of their own; leave it out')
  }
  if (provider !== null && !/^[\x20-\x7e]+$/.test(provider as string)) {
    refuse('provider', 'a provider is named in printable ASCII')
  }
  if ((reservedAuthMethods as readonly string[]).includes(authMethod)) {
    refuse('auth_method', `${authMethod} is reserved for a later release`)
  }
  const keepsSecrets = stored?.authMethod === 'access_key' && stored.endpointUrl === endpointUrl &&
    stored.provider === provider
  if (authMethod === 'access_key' && credentials === null && !keepsSecrets) {
    refuse('credentials', stored === undefined
      ? 'access_key needs access_key_id and secret_access_key'
      : 'a change of provider, endpoint_url or auth_method needs the credentials again')
  }
  if (authMethod !== 'access_key' && credentials !== null) refuse('credentials', `${authMethod} takes no credentials`)
  if (authMethod === 'assume_role' && !/^arn:[a-z0-9-]+:iam::[0-9]*:role\/[\x21-\x7e]+$/.test(String(roleArn))) {
    refuse('role_arn', 'assume_role needs the ARN of a role, such as arn:aws:iam::123456789012:role/name')
  }
  if (authMethod !== 'assume_role' && roleArn !== null) refuse('role_arn', 'only assume_role takes a role')
  if (authMethod !== 'assume_role' && externalId !== null) {
    refuse('external_id', 'only assume_role takes an external id')
  }
  if (externalId !== null && !/^[\w+=,.@:/-]{2,1224}$/.test(externalId as string)) {
    refuse('external_id', 'an external id is 2 to 1,224 letters, digits and +=,.@:/-_')
  }
  if (fields.length > 0) throw new TabcastError('validation_error', undefined, { fields })
  if (authMethod !== 'access_key' && !rules.ambientAuth) {
    throw connectorFailure('INVALID_CONFIGURATION', `The operator of this deployment has not enabled ${authMethod}.`,
      'Use access_key, or ask the operator to set TABCAST_CONNECTOR_AMBIENT_AUTH.')
  }
  checkEndpoint(endpointUrl as string | null, region, rules.policy)
  return {
    objectStorage: {
      provider: provider as string | null,
      bucket,
      prefix: checkKeyPrefix(input.prefix ?? ''),
      keyPattern: keyPattern as string | null,
      endpointUrl: endpointUrl as string | null,
      region,
      authMethod: authMethod as AuthMethod,
      fileFormat,
      compression: compression as ObjectStorage['compression'],
      roleArn: roleArn as string | null,
      externalId: externalId as string | null
    },
    credentials
  }
}

/** Checks only the text. The addresses behind a host name are checked whenever a connection is opened. */
function checkEndpoint (endpointUrl: string | null, region: string, policy: NetworkPolicy): void {
  try {
    const url = policy.checkUrl(endpointAddress(endpointUrl, region))
    if (url.pathname !== '/' || url.search !== '') {
      const error = 'an endpoint has no path and no query'
      throw new TabcastError('validation_error', undefined, {
        fields: [{
          loc: ['body', 'object_storage', 'endpoint_url'],
          msg: error,
          type: 'value_error',
          input: endpointUrl,
          ctx: { error }
        }]
      })
    }
  } catch (error) {
    if (!(error instanceof NetworkRefusal)) throw error
    const isMisspelt = error.reason === 'malformed' || error.reason === 'scheme'
    const advice = isMisspelt
      ? 'Write the whole address, such as https://s3.example.com.'
      : 'Use a public address, or ask the operator to set TABCAST_CONNECTOR_ALLOW_CIDRS.'
    throw connectorFailure('ENDPOINT_NOT_ALLOWED', `The endpoint is refused: ${error.message}.`, advice)
  }
}

/**
 * As AWS defines it: labels of letters, digits and hyphens, joined by single dots, and not shaped like an IPv4 address.
 */
function isBucketName (name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name) && name.length >= 3 &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name)
}

function isUsableKey (text: string): boolean {
  try {
    checkKeyPrefix(text)
    return true
  } catch (error) {
    if (error instanceof ConnectorError) return false
    throw error
  }
}

/** An error must not repeat secrets, nor a long value in full. */
function echo (field: string, value: unknown): { input?: unknown } {
  return field === 'credentials' || typeof value !== 'string' ? {} : { input: value.slice(0, 200) }
}
