export type { ReconciliationSummary } from './engine-documents.ts'
