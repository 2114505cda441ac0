/** The beginning of a table, as text: what a reader of it would find. */
export type { TablePreview } from './engine-documents.ts'
