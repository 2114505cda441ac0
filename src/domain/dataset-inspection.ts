/** All findings about a dataset, where a check stops at the first fault. */
export type { CheckName, ColumnType, DatasetCheck, DatasetInspection } from './engine-documents.ts'
