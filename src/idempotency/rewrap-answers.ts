import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { Vault } from '../vault/vault.ts'
import { contextOf, type SavedAnswer } from './tables.ts'

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
