import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ulid } from 'ulid'
import type { ConnectionInput, ObjectStorage, StoreCapabilities } from '../../src/domain/connection.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { openVault } from '../../src/platform/vault/open-vault.ts'
import type { Vault } from '../../src/platform/vault/vault.ts'
import { connectorSettings, type ConnectorSettings } from '../../src/sources/connectors/connector-settings.ts'
import type { Connector } from '../../src/sources/connectors/connector.ts'
import { openS3Connector } from '../../src/sources/connectors/s3-connector.ts'
import { AssumedRoles } from '../../src/sources/connectors/store-credentials.ts'
import { StoreSession } from '../../src/sources/connectors/store-session.ts'

export interface StoreAddress {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface TestConnectors {
  vault: Vault
  folder: string
  input(storage: Partial<ObjectStorage> & { bucket: string },
    capabilities?: Partial<StoreCapabilities>): ConnectionInput
  /** A connector over real guarded connections; loopback is opened as an operator would. */
  open(input: ConnectionInput, budgetMs?: number): Connector
  /** The requests under the operations. */
  session(input: ConnectionInput): Promise<StoreSession>
  /** The processor time in milliseconds that answers of the store have cost. */
  spentMs(): number
  /** An empty folder. */
  scratch(): Promise<string>
}

/** What a worker has to use connections to this store. */
export async function setupConnectors (t: Test, store: StoreAddress, settings: Record<string, string> = {},
  bounds: Partial<ConnectorSettings> = {}): Promise<TestConnectors> {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-connectors-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const vault = openVault(join(folder, 'keyring.json'))
  const config = loadConfig({
    TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8',
    TABCAST_CONNECTOR_TIMEOUT_MS: '5000',
    ...settings
  })
  const roles = new AssumedRoles()
  let spentMs = 0
  const deps = (budgetMs: number) => ({
    settings: { ...connectorSettings(config), ...bounds },
    vault: () => vault,
    roles,
    signal: AbortSignal.timeout(budgetMs),
    spend: (cpuMs: number) => {
      spentMs += cpuMs
    }
  })
  return {
    vault,
    folder,
    input (storage, capabilities = {}) {
      const connectionId = `conn_${ulid()}`
      const seal = (field: string, secret: string) => vault.seal(secret, ['acme', connectionId, field])
      return {
        tenant: 'acme',
        connectionId,
        objectStorage: {
          provider: null,
          prefix: '',
          keyPattern: null,
          endpointUrl: store.endpoint,
          region: store.region,
          authMethod: 'access_key',
          fileFormat: 'csv',
          compression: null,
          roleArn: null,
          externalId: null,
          ...storage
        },
        credentials: {
          access_key_id: seal('access_key_id', store.accessKeyId),
          secret_access_key: seal('secret_access_key', store.secretAccessKey)
        },
        capabilities: { conditionalPut: null, versioning: null, ...capabilities },
        delivered: []
      }
    },
    open (input, budgetMs = 30_000) {
      const connector = openS3Connector(input, deps(budgetMs))
      t.teardown(() => connector.close())
      return connector
    },
    async session (input) {
      const session = await StoreSession.open(input, deps(30_000))
      t.teardown(() => session.close())
      return session
    },
    spentMs: () => spentMs,
    scratch: () => mkdtemp(join(folder, 'scratch-'))
  }
}
