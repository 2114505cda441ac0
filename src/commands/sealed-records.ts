import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import { rewrapTable, sealedIn } from '../platform/vault/sealed-table.ts'
import type { SealedRecord, Vault } from '../platform/vault/vault.ts'
import { sealedWebhookSecrets } from '../services/callbacks/sealed-secrets.ts'
import { sealedCredentials } from '../services/connections/sealed-credentials.ts'
import { sealedAnswers } from '../services/idempotency/sealed-answers.ts'

/** Every sealed secret of all services. */
export async function* everySealed (metadata: MetadataStore): AsyncGenerator<SealedRecord, void, undefined> {
  yield* sealedIn(metadata, sealedCredentials)
  yield* sealedIn(metadata, sealedWebhookSecrets)
  yield* sealedIn(metadata, sealedAnswers)
}

/**
 * Wraps all of them with the active key, and returns the number of changed records. A service that is missing here
 * loses its secrets at a rotation.
 */
export async function rewrapEverySealed (metadata: MetadataStore, vault: Vault): Promise<number> {
  return await rewrapTable(metadata, vault, sealedCredentials) +
    await rewrapTable(metadata, vault, sealedWebhookSecrets) +
    await rewrapTable(metadata, vault, sealedAnswers)
}
