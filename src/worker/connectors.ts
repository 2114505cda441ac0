import type { ConnectionInput } from '../domain/connection.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { Vault, VaultError } from '../platform/vault/vault.ts'
import { connectorSettings, type ConnectorSettings } from '../sources/connectors/connector-settings.ts'
import type { Connector } from '../sources/connectors/connector.ts'
import { openS3Connector } from '../sources/connectors/s3-connector.ts'
import { AssumedRoles } from '../sources/connectors/store-credentials.ts'

/** Connectors to customers' stores; secrets are opened here, for as long as a connector is. */
export class Connectors {
  readonly #keyring: string
  readonly #settings: ConnectorSettings
  readonly #roles = new AssumedRoles()
  #vault: Vault | undefined

  constructor (config: Config) {
    this.#keyring = dataPaths(config).keyring
    this.#settings = connectorSettings(config)
  }

  /** The caller closes it. What it does ends when the signal is aborted. */
  open (connection: ConnectionInput, signal: AbortSignal): Connector {
    return openS3Connector(connection, {
      settings: this.#settings,
      vault: () => this.#openVault(),
      roles: this.#roles,
      signal
    })
  }

  /** At first use, and never made here: a keyring of this host's own would open nothing. */
  #openVault (): Vault {
    try {
      this.#vault ??= new Vault(this.#keyring)
      return this.#vault
    } catch (cause) {
      throw new VaultError('unavailable', 'the keyring cannot be read', cause)
    }
  }
}
