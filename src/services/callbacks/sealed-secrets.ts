import type { SealedTable } from '../../platform/vault/sealed-table.ts'
import type { WebhookSecretRecord } from './tables.ts'
import { secretContext } from './webhook-secrets.ts'

export const sealedWebhookSecrets: SealedTable<WebhookSecretRecord> = {
  name: 'webhookSecrets',
  secretsOf: (record, key) => {
    const context = secretContext(key.map(String))
    return [record, ...record.previous].map(({ secret }) => ({ sealed: secret, context }))
  },
  withSecrets: (record, [secret = record.secret, ...previous]) => {
    return {
      ...record,
      secret,
      previous: record.previous.map((one, index) => ({ ...one, secret: previous[index] ?? one.secret }))
    }
  }
}
