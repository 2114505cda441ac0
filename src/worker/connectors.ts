import type { ConnectionInput } from '../domain/connection.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { Vault, VaultError } from '../platform/vault/vault.ts'
import { connectorSettings, type ConnectorSettings } from '../sources/connectors/connector-settings.ts'
import type { Connector } from '../sources/connectors/connector.ts'
import { openS3Connector } from '../sources/connectors/s3-connector.ts'
import { AssumedRoles } from '../sources/connectors/store-credentials.ts'

/**
 * Opens connectors to customers' stores. A connection's secrets are decrypted here, and only while its connector is
 * open.
 */
export class Connectors {
  readonly #keyring: string
  readonly #settings: ConnectorSettings
  readonly #roles = new AssumedRoles()
  #vault: Vault | undefined

  constructor (config: Config) {
    this.#keyring = dataPaths(config).keyring
    this.#settings = connectorSettings(config)
  }

  /**
   * The caller closes the connector. Whatever it is doing ends when the signal aborts. `spend`: called with the
   * processor time in milliseconds that answers of the store have cost this process.
   */
  open (connection: ConnectionInput, signal: AbortSignal, spend: (cpuMs: number) => void = () => undefined): Connector {
    return openS3Connector(connection, {
      settings: this.#settings,
      vault: () => this.#openVault(),
      roles: this.#roles,
      signal,
      spend
    })
  }

  /** Opened on first use and never created here: a new keyring could not decrypt what the api encrypted. */
  #openVault (): Vault {
    try {
      this.#vault ??= new Vault(this.#keyring)
      return this.#vault
    } catch (cause) {
      throw new VaultError('unavailable', 'the keyring cannot be read', cause)
    }
  }
}
