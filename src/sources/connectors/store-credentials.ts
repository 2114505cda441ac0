import type { RequestOptions } from 'node:http'
import { IamAwsProvider } from 'minio'
// The package's main export lacks it.
import { AssumeRoleProvider, type AssumeRoleProviderOptions } from 'minio/dist/esm/AssumeRoleProvider.mjs'
import { signV4ByServiceName } from 'minio/dist/esm/signing.mjs'
import type { ConnectionInput } from '../../domain/connection.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { ConnectorError } from './connector-error.ts'
import type { ConnectorSettings } from './connector-settings.ts'
import type { ProviderTransport } from './provider-transport.ts'
import { defined } from '../../platform/defined.ts'

export interface StoreCredentials {
  accessKey: string
  secretKey: string
  sessionToken?: string
}

/** The fields of a connection that has its own keys. */
export const accessKeyFields = ['access_key_id', 'secret_access_key'] as const

interface Deps {
  settings: ConnectorSettings
  vault: () => Vault
  roles: AssumedRoles
  transport: ProviderTransport
}

/**
 * The credentials that sign requests to the store. Rejects with CREDENTIALS_UNAVAILABLE if the keyring lacks the key.
 */
export async function storeCredentials (connection: ConnectionInput,
  { settings, vault, roles, transport }: Deps): Promise<StoreCredentials> {
  const { authMethod } = connection.objectStorage
  if (authMethod === 'access_key') {
    const [accessKey, secretKey] = accessKeyFields.map((field) => unseal(connection, field, vault())) as [string,
      string]
    return { accessKey, secretKey }
  }
  // The operator may have turned this off since the connection was made.
  if (!settings.ambientAuth) throw new ConnectorError('INVALID_CONFIGURATION')
  return authMethod === 'assume_role' ? await roles.assume(connection, settings, transport) : await ownIdentity()
}

/** The library takes strings, which cannot be zeroed, but the buffer behind them is. */
function unseal ({ tenant, connectionId, credentials }: ConnectionInput, field: string, vault: Vault): string {
  const sealed = credentials[field]
  if (sealed === undefined) throw new ConnectorError('CREDENTIALS_UNAVAILABLE')
  const secret = vault.open(sealed, [tenant, connectionId, field])
  try {
    return secret.toString()
  } finally {
    secret.fill(0)
  }
}

/**
 * Looks in the order of AWS's own programs: the environment, then the machine, container or workload that this process
 * runs on.
 */
async function ownIdentity (): Promise<StoreCredentials> {
  const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, AWS_SESSION_TOKEN: token } = process.env
  if (accessKey !== undefined && secretKey !== undefined) return withToken(accessKey, secretKey, token)
  try {
    const found = await new IamAwsProvider({}).getCredentials()
    return withToken(found.getAccessKey(), found.getSecretKey(), found.getSessionToken())
  } catch (cause) {
    throw new ConnectorError('CREDENTIALS_UNAVAILABLE', cause)
  }
}

/** The shortest lifetime that a token service grants. */
const lifetimeSeconds = 900
/** Credentials are used no longer than this, so that an operation that has just begun can still end. */
const usableMs = (lifetimeSeconds - 120) * 1000
const maxRoles = 1000

/**
 * Short-lived credentials of assumed roles, one for each connection and role. They are kept until shortly before they
 * expire.
 */
export class AssumedRoles {
  readonly #held = new Map<string, { credentials: StoreCredentials, untilMs: number }>()

  async assume ({ tenant, connectionId, objectStorage }: ConnectionInput, settings: ConnectorSettings,
    transport: ProviderTransport): Promise<StoreCredentials> {
    const { roleArn, externalId, endpointUrl, region } = objectStorage
    const id = JSON.stringify([tenant, connectionId, roleArn, externalId, endpointUrl, region])
    const held = this.#held.get(id)
    const atMs = performance.now()
    if (held !== undefined && atMs < held.untilMs) return held.credentials
    const own = await ownIdentity()
    // Only an address that the customer gave is subject to the policy; the operator's own may be anywhere.
    const isGiven = settings.stsEndpoint === ''
    const stsEndpoint = isGiven ? endpointUrl ?? `https://sts.${region}.amazonaws.com` : settings.stsEndpoint
    const agent = isGiven
      ? settings.policy.agent(settings.policy.checkUrl(stsEndpoint).protocol, { tenant })
      : undefined
    try {
      const provider = new RoleProvider({
        stsEndpoint,
        ...own,
        region,
        roleSessionName: 'tabcast',
        durationSeconds: lifetimeSeconds,
        ...(roleArn === null ? {} : { roleArn }),
        ...(externalId === null ? {} : { externalId }),
        ...defined({ transportAgent: agent })
      }, own, transport)
      const granted = await provider.getCredentials()
      const credentials = withToken(granted.getAccessKey(), granted.getSecretKey(), granted.getSessionToken())
      this.#keep(id, credentials, atMs + usableMs)
      return credentials
    } finally {
      agent?.destroy()
    }
  }

  #keep (id: string, credentials: StoreCredentials, untilMs: number): void {
    const [oldest] = this.#held.keys()
    if (this.#held.size >= maxRoles && oldest !== undefined) this.#held.delete(oldest)
    this.#held.set(id, { credentials, untilMs })
  }
}

/**
 * The library's provider has no timeout and reads an answer of any length. It also loses the session token if this
 * service's own identity is a short-lived one.
 */
class RoleProvider extends AssumeRoleProvider {
  readonly #own: StoreCredentials
  readonly #region: string

  constructor (options: AssumeRoleProviderOptions, own: StoreCredentials, transport: ProviderTransport) {
    super(options)
    Object.assign(this, { transport })
    this.#own = own
    this.#region = options.region ?? ''
  }

  override getRequestConfig (): { requestOptions: RequestOptions, requestData: string } {
    const config = super.getRequestConfig()
    const headers = config.requestOptions.headers as Record<string, string>
    const { accessKey, secretKey, sessionToken } = this.#own
    if (sessionToken === undefined) return config
    const date = new Date()
    headers['x-amz-date'] = date.toISOString().replaceAll(/[-:]|\.\d+/g, '')
    headers['x-amz-security-token'] = sessionToken
    headers['authorization'] = signV4ByServiceName(
      config.requestOptions as Parameters<typeof signV4ByServiceName>[0],
      accessKey,
      secretKey,
      this.#region,
      date,
      headers['x-amz-content-sha256'] ?? '',
      'sts'
    )
    return config
  }
}

function withToken (accessKey: string, secretKey: string, sessionToken: string | undefined): StoreCredentials {
  return sessionToken === undefined || sessionToken === ''
    ? { accessKey, secretKey }
    : { accessKey, secretKey, sessionToken }
}
