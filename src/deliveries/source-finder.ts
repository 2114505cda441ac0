import { connectorFailure } from '../connections/connector-failure.ts'
import type { ConnectionService } from '../connections/connection-service.ts'
import { isFolder, isPart } from '../connectors/source-parts.ts'
import { TabcastError } from '../errors.ts'
import type { ConnectionInput, ConnectedSource, ObjectStorage } from '../queue/messages.ts'
import type { DeliveryLedger } from './delivery-ledger.ts'

/** Delivered keys that a source may have among its own; they go into the job's message, which has a bound. */
const maxSkipped = 5_000

interface FindSourceDeps {
  connections: Pick<ConnectionService, 'input'>
  ledger: DeliveryLedger
}

/** The source of a job without what was delivered there: a forecast must never be read as history. */
export class SourceFinder {
  readonly #deps: FindSourceDeps

  constructor (deps: FindSourceDeps) {
    this.#deps = deps
  }

  /** undefined: the tenant does not have the connection any more. */
  find (tenant: string, connectionId: string): ConnectedSource | undefined {
    try {
      const connection = this.#deps.connections.input(tenant, connectionId)
      return { connection, skip: this.#delivered(connection) }
    } catch (error) {
      if (error instanceof TabcastError && error.code === 'connection_not_found') return undefined
      throw error
    }
  }

  /** Where the source is. Throws connection_not_found, or connector_error when a read could not tell data from forecasts. */
  check (tenant: string, connectionId: string): ObjectStorage {
    const connection = this.#deps.connections.input(tenant, connectionId)
    if (this.#delivered(connection).length >= maxSkipped) throw connectorFailure('INVALID_CONFIGURATION')
    return connection.objectStorage
  }

  #delivered ({ tenant, connectionId, objectStorage }: ConnectionInput): string[] {
    if (!isFolder(objectStorage)) return []
    const skip: string[] = []
    for (const key of this.#deps.ledger.deliveredKeys(tenant, connectionId, objectStorage.prefix)) {
      if (isPart(objectStorage, { key, bytes: 1 })) skip.push(key)
      if (skip.length === maxSkipped) break
    }
    return skip
  }
}
