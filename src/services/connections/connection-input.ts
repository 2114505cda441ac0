import type { ConnectionInput } from '../../domain/connection.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { DeliveredObjects } from './delivered-objects.ts'

/** What a worker needs to write through the connection, with sealed secrets. */
export function destinationOf (
  { tenant, connectionId, objectStorage, credentials, capabilities }: ConnectionRecord
): ConnectionInput {
  return { tenant, connectionId, objectStorage, credentials, capabilities, delivered: [] }
}

/** What a worker needs to read the source. Throws connector_error when results cannot be told from data. */
export function sourceOf (record: ConnectionRecord, delivered: DeliveredObjects): ConnectionInput {
  return {
    ...destinationOf(record),
    delivered: delivered.among(record.tenant, record.connectionId, record.objectStorage)
  }
}
