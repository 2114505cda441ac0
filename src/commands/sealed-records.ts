import type { MetadataStore } from '../platform/metadata/metadata-store.ts'
import type { SealedRecord, Vault } from '../platform/vault/vault.ts'
import { rewrapWebhookSecrets, sealedWebhookSecrets } from '../services/callbacks/rewrap-secrets.ts'
import { rewrapConnections, sealedCredentials } from '../services/connections/rewrap-connections.ts'
import { rewrapAnswers, sealedAnswers } from '../services/idempotency/rewrap-answers.ts'

interface SealedKind {
  /** Wraps everything that one room has sealed with the active key; gives the number of records that changed. */
  rewrap: (metadata: MetadataStore, vault: Vault) => Promise<number>
  each: (metadata: MetadataStore) => Iterable<SealedRecord>
}

/** Every kind of sealed record, which each room knows itself. A room that is missing here loses its secrets at a rotation. */
export const sealedRecords: readonly SealedKind[] = [
  { rewrap: rewrapConnections, each: sealedCredentials },
  { rewrap: rewrapWebhookSecrets, each: sealedWebhookSecrets },
  { rewrap: rewrapAnswers, each: sealedAnswers }
]

export function * everySealed (metadata: MetadataStore): Iterable<SealedRecord> {
  for (const { each } of sealedRecords) yield * each(metadata)
}
