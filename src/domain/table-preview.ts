/** The beginning of a table, as text. */
export type { TablePreview } from './engine-documents.ts'
