import type { SealedTable } from '../../platform/vault/sealed-table.ts'
import type { ConnectionRecord } from './connection-record.ts'

export const sealedCredentials: SealedTable<ConnectionRecord> = {
  name: 'connections',
  secretsOf: ({ tenant, connectionId, credentials }) => {
    return Object.entries(credentials).map(([field, sealed]) => ({ sealed, context: [tenant, connectionId, field] }))
  },
  withSecrets: (connection, secrets) => {
    const fields = Object.entries(connection.credentials).map(([field, sealed],
      index) => [field, secrets[index] ?? sealed]
    )
    return { ...connection, credentials: Object.fromEntries(fields) as ConnectionRecord['credentials'] }
  }
}
