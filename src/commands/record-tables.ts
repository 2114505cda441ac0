import { callbackTables } from '../callbacks/tables.ts'
import { jobTables } from '../jobs/tables.ts'
import { keyTables } from '../keys/key-record.ts'

/** Every table of the record; each room names its own. */
export const recordTables = [...jobTables, ...keyTables, ...callbackTables] as const
