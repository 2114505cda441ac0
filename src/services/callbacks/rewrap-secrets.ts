import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { SealedRecord, Vault } from '../../platform/vault/vault.ts'
import type { WebhookSecretRecord } from './tables.ts'
import { secretContext } from './webhook-secrets.ts'

export function * sealedWebhookSecrets (metadata: MetadataStore): Iterable<SealedRecord> {
  for (const { key, value } of metadata.table<WebhookSecretRecord>('webhookSecrets').range()) {
    for (const { secret } of [value, ...value.previous]) yield { sealed: secret, context: secretContext(key.map(String)) }
  }
}

/** Wraps the webhook secrets of all tenants with the active key. Returns the number of records that changed. */
export async function rewrapWebhookSecrets (metadata: MetadataStore, vault: Vault): Promise<number> {
  const secrets = metadata.table<WebhookSecretRecord>('webhookSecrets')
  let rewrapped = 0
  for (const { key } of [...secrets.range()]) {
    if (await metadata.transact((tx) => {
      const found = tx.get(secrets, key)?.value
      if (found === undefined) return false
      const context = secretContext(key.map(String))
      const secret = vault.rewrap(found.secret, context)
      const previous = found.previous.map((one) => ({ ...one, secret: vault.rewrap(one.secret, context) }))
      if (secret === undefined && previous.every((one) => one.secret === undefined)) return false
      tx.put(secrets, key, {
        ...found,
        secret: secret ?? found.secret,
        previous: found.previous.map((one, at) => ({ ...one, secret: previous[at]?.secret ?? one.secret }))
      })
      return true
    })) rewrapped++
  }
  return rewrapped
}
