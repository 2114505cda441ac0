/** All that an inspection found in a dataset, instead of the first thing that is wrong with it. */
export type { CheckName, ColumnType, DatasetCheck, DatasetInspection } from './engine-documents.ts'
