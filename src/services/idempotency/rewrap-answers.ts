import type { MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { SealedRecord, Vault } from '../../platform/vault/vault.ts'
import { contextOf, type SavedAnswer } from './tables.ts'

export function * sealedAnswers (metadata: MetadataStore): Iterable<SealedRecord> {
  for (const { key, value } of metadata.table<SavedAnswer>('idempotency').range()) yield { sealed: value.answer, context: contextOf(key) }
}

/** Wraps all saved answers with the active key. Returns the number of those that changed. */
export async function rewrapAnswers (metadata: MetadataStore, vault: Vault): Promise<number> {
  const answers = metadata.table<SavedAnswer>('idempotency')
  let rewrapped = 0
  for (const { key } of [...answers.range()]) {
    if (await metadata.transact((tx) => {
      const found = tx.get(answers, key)?.value
      const answer = found && vault.rewrap(found.answer, contextOf(key))
      if (found !== undefined && answer !== undefined) tx.put(answers, key, { ...found, answer })
      return answer !== undefined
    })) rewrapped++
  }
  return rewrapped
}
