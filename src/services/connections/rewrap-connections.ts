import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { SealedRecord, Vault } from '../../platform/vault/vault.ts'
import type { ConnectionRecord } from './connection-record.ts'

export function * sealedCredentials (metadata: MetadataStore): Iterable<SealedRecord> {
  for (const { value: { tenant, connectionId, credentials } } of metadata.table<ConnectionRecord>('connections').range()) {
    for (const [field, sealed] of Object.entries(credentials)) yield { sealed, context: [tenant, connectionId, field] }
  }
}

/** Wraps the secrets of all connections with the active key; one transaction for each connection that changes. Returns their number. */
export async function rewrapConnections (metadata: MetadataStore, vault: Vault): Promise<number> {
  const connections = metadata.table<ConnectionRecord>('connections')
  let rewrapped = 0
  for (const { key } of [...connections.range()]) {
    if (await metadata.transact((tx) => {
      const found = tx.get(connections, key)?.value
      const next = found === undefined ? undefined : rewrap(found, vault)
      if (next !== undefined) tx.put(connections, key, next)
      return next !== undefined
    })) rewrapped++
  }
  return rewrapped
}

function rewrap (record: ConnectionRecord, vault: Vault): ConnectionRecord | undefined {
  const fresh = Object.entries(record.credentials).flatMap(([field, sealed]) => {
    const wrapped = vault.rewrap(sealed, [record.tenant, record.connectionId, field])
    return wrapped === undefined ? [] : [[field, wrapped] as const]
  })
  return fresh.length === 0 ? undefined : { ...record, credentials: { ...record.credentials, ...Object.fromEntries(fresh) } }
}
