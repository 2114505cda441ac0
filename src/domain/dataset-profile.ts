export type { DatasetProfile } from './engine-documents.ts'
