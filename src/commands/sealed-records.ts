import { rewrapWebhookSecrets } from '../callbacks/rewrap-secrets.ts'
import { rewrapConnections } from '../connections/rewrap-connections.ts'
import { rewrapAnswers } from '../idempotency/rewrap-answers.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { Vault } from '../vault/vault.ts'

/** Wraps everything that one room has sealed with the active key; gives the number of records that changed. */
type Rewrap = (metadata: MetadataStore, vault: Vault) => Promise<number>

/** Every kind of sealed record; each room rewraps its own. A room that is missing here loses its secrets at a rotation. */
export const sealedRecords: readonly Rewrap[] = [rewrapConnections, rewrapWebhookSecrets, rewrapAnswers]
