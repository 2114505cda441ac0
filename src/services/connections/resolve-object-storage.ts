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
  const settings = settingsOf(input)
  const credentials = input.credentials ?? null
  const wrong = [...wrongFields(settings), ...wrongIdentity(settings, credentials, stored)]
  if (wrong.length > 0) {
    const fields = wrong.map(([field, error]) => fieldError(field, error, echo(field, input)))
    throw new TabcastError('validation_error', undefined, { fields })
  }
  const { authMethod, endpointUrl, region } = settings
  if (authMethod !== 'access_key' && !rules.ambientAuth) {
    throw connectorFailure('INVALID_CONFIGURATION', `The operator of this deployment has not enabled ${authMethod}.`,
      'Use access_key, or ask the operator to set TABCAST_CONNECTOR_AMBIENT_AUTH.')
  }
  checkEndpoint(endpointUrl, region, rules.policy)
  return { objectStorage: { ...settings, prefix: checkKeyPrefix(settings.prefix) }, credentials }
}

/** Nothing is checked yet: the method may be a reserved one. */
function settingsOf (input: ObjectStorageInput): ObjectStorage {
  // An empty text is none.
  const given = (text: string | null | undefined): string | null => text || null
  return {
    provider: given(input.provider),
    bucket: input.bucket,
    prefix: input.prefix ?? '',
    keyPattern: given(input.key_pattern),
    endpointUrl: given(input.endpoint_url),
    region: input.region ?? defaultRegion,
    authMethod: input.auth_method as AuthMethod,
    fileFormat: input.file_format,
    compression: input.compression ?? null,
    roleArn: given(input.role_arn),
    externalId: given(input.external_id)
  }
}

type WrongField = [field: keyof ObjectStorageInput, error: string]

function wrongFields (
  { bucket, region, prefix, keyPattern, fileFormat, compression, provider }: ObjectStorage
): WrongField[] {
  return brokenOf([
    [isBucketName(bucket), 'bucket',
      'a bucket\'s name is 3 to 63 of a-z, 0-9, "-" and ".", between letters or digits, and no address'],
    [/^[a-z0-9-]{1,32}$/.test(region), 'region', 'a region has only a-z, 0-9 and "-"'],
    [isUsableKey(prefix), 'prefix',
      'a prefix has no "..", no control characters, no backslash, and does not begin with "/"'],
    [isUsableKey(keyPattern ?? ''), 'key_pattern',
      'a pattern has no "..", no control characters, no backslash, and does not begin with "/"'],
    [fileFormat !== 'parquet' || compression === null, 'compression',
      'parquet files have a compression of their own; leave it out'],
    [provider === null || /^[\x20-\x7e]+$/.test(provider), 'provider', 'a provider is named in printable ASCII']
  ])
}

function wrongIdentity ({ authMethod, provider, endpointUrl, roleArn, externalId }: ObjectStorage,
  credentials: CredentialsInput | null, stored: ObjectStorage | undefined): WrongField[] {
  const [isAccessKey, isRole] = [authMethod === 'access_key', authMethod === 'assume_role']
  const keepsSecrets = stored?.authMethod === 'access_key' && stored.endpointUrl === endpointUrl &&
    stored.provider === provider
  return brokenOf([
    [!(reservedAuthMethods as readonly string[]).includes(authMethod), 'auth_method',
      `${authMethod} is reserved for a later release`],
    [!isAccessKey || credentials !== null || keepsSecrets, 'credentials', stored === undefined
      ? 'access_key needs access_key_id and secret_access_key'
      : 'a change of provider, endpoint_url or auth_method needs the credentials again'],
    [isAccessKey || credentials === null, 'credentials', `${authMethod} takes no credentials`],
    [!isRole || /^arn:[a-z0-9-]+:iam::[0-9]*:role\/[\x21-\x7e]+$/.test(roleArn ?? ''), 'role_arn',
      'assume_role needs the ARN of a role, such as arn:aws:iam::123456789012:role/name'],
    [isRole || roleArn === null, 'role_arn', 'only assume_role takes a role'],
    [isRole || externalId === null, 'external_id', 'only assume_role takes an external id'],
    [externalId === null || /^[\w+=,.@:/-]{2,1224}$/.test(externalId), 'external_id',
      'an external id is 2 to 1,224 letters, digits and +=,.@:/-_']
  ])
}

function brokenOf (rules: ReadonlyArray<[isRight: boolean, ...WrongField]>): WrongField[] {
  return rules.filter(([isRight]) => !isRight).map(([, field, error]) => [field, error])
}

function fieldError (field: string, error: string, echoed: { input?: unknown }): FieldError {
  return { loc: ['body', 'object_storage', field], msg: error, type: 'value_error', ...echoed, ctx: { error } }
}

/** Checks only the text. The addresses behind a host name are checked whenever a connection is opened. */
function checkEndpoint (endpointUrl: string | null, region: string, policy: NetworkPolicy): void {
  try {
    const url = policy.checkUrl(endpointAddress(endpointUrl, region))
    if (url.pathname !== '/' || url.search !== '') {
      throw new TabcastError('validation_error', undefined, {
        fields: [fieldError('endpoint_url', 'an endpoint has no path and no query', { input: endpointUrl })]
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
function echo (field: keyof ObjectStorageInput, input: ObjectStorageInput): { input?: unknown } {
  const value = input[field]
  return field === 'credentials' || typeof value !== 'string' ? {} : { input: value.slice(0, 200) }
}
