/** What a reconciliation did. */
export type { ReconciliationSummary } from './engine-documents.ts'
