import type { SealedTable } from '../../platform/vault/sealed-table.ts'
import { contextOf, type SavedAnswer } from './tables.ts'

export const sealedAnswers: SealedTable<SavedAnswer> = {
  name: 'idempotency',
  secretsOf: ({ answer }, key) => [{ sealed: answer, context: contextOf(key) }],
  withSecrets: (saved, [answer = saved.answer]) => ({ ...saved, answer })
}
